# Completes 'kvs'; made by 'kvs completion zsh'. For this shell: source <(kvs completion zsh)

autoload -Uz bashcompinit && bashcompinit

