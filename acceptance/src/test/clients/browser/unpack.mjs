// Unpacks the browser, and the libraries and fonts it may miss on a bare machine, into this folder.

import { chmodSync, createReadStream, createWriteStream, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar-fs';

const packed = 'node_modules/@sparticuz/chromium/bin';

await pipeline(createReadStream(`${packed}/chromium.br`), createBrotliDecompress(), createWriteStream('chromium'));
chmodSync('chromium', 0o755);
for (const name of ['al2023', 'fonts']) {
  await pipeline(createReadStream(`${packed}/${name}.tar.br`), createBrotliDecompress(), extract(name));
}
writeFileSync('fonts.conf', `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${process.cwd()}/fonts/fonts</dir><cachedir>${process.cwd()}/fonts-cache</cachedir></fontconfig>
`);
