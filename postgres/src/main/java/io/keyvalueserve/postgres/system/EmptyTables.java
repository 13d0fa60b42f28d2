package io.keyvalueserve.postgres.system;

import java.util.List;

/** The catalogues of what does not exist here: functions, triggers, sequences and so on. */
final class EmptyTables {
  private EmptyTables() {}

  static void addTo(List<SystemTable> all) {
    String[][] tables = {
      {"pg_attrdef", "oid:oid adrelid:oid adnum:int2 adbin:text"},
      {
        "pg_proc",
        """
        oid:oid proname:name pronamespace:oid proowner:oid prolang:oid procost:float4
        prorows:float4 provariadic:oid prosupport:regproc prokind:char prosecdef:bool
        proleakproof:bool proisstrict:bool proretset:bool provolatile:char proparallel:char
        pronargs:int2 pronargdefaults:int2 prorettype:oid proargtypes:oidvector
        proallargtypes:_oid proargmodes:_char proargnames:_text proargdefaults:text
        protrftypes:_oid prosrc:text probin:text prosqlbody:text proconfig:_text proacl:_text
        """
      },
      {"pg_enum", "oid:oid enumtypid:oid enumsortorder:float4 enumlabel:name"},
      {
        "pg_range",
        """
        rngtypid:oid rngsubtype:oid rngmultitypid:oid rngcollation:oid rngsubopc:oid
        rngcanonical:regproc rngsubdiff:regproc
        """
      },
      {
        "pg_extension",
        """
        oid:oid extname:name extowner:oid extnamespace:oid extrelocatable:bool extversion:text
        extconfig:_oid extcondition:_text
        """
      },
      {
        "pg_available_extensions",
        "name:name default_version:text installed_version:text comment:text"
      },
      {
        "pg_trigger",
        """
        oid:oid tgrelid:oid tgparentid:oid tgname:name tgfoid:oid tgtype:int2 tgenabled:char
        tgisinternal:bool tgconstrrelid:oid tgconstrindid:oid tgconstraint:oid tgdeferrable:bool
        tginitdeferred:bool tgnargs:int2 tgattr:int2vector tgargs:bytea tgqual:text
        tgoldtable:name tgnewtable:name
        """
      },
      {
        "pg_rewrite",
        """
        oid:oid rulename:name ev_class:oid ev_type:char ev_enabled:char is_instead:bool
        ev_qual:text ev_action:text
        """
      },
      {"pg_inherits", "inhrelid:oid inhparent:oid inhseqno:int4 inhdetachpending:bool"},
      {
        "pg_policy",
        """
        oid:oid polname:name polrelid:oid polcmd:char polpermissive:bool polroles:_oid
        polqual:text polwithcheck:text
        """
      },
      {
        "pg_statistic_ext",
        """
        oid:oid stxrelid:oid stxname:name stxnamespace:oid stxowner:oid stxstattarget:int4
        stxkeys:int2vector stxkind:_char stxexprs:text
        """
      },
      {
        "pg_sequence",
        """
        seqrelid:oid seqtypid:oid seqstart:int8 seqincrement:int8 seqmax:int8 seqmin:int8
        seqcache:int8 seqcycle:bool
        """
      },
      {
        "pg_depend",
        """
        classid:oid objid:oid objsubid:int4 refclassid:oid refobjid:oid refobjsubid:int4
        deptype:char
        """
      },
      {"pg_shdescription", "objoid:oid classoid:oid description:text"},
      {
        "pg_publication",
        """
        oid:oid pubname:name pubowner:oid puballtables:bool pubinsert:bool pubupdate:bool
        pubdelete:bool pubtruncate:bool pubviaroot:bool
        """
      },
      {"pg_publication_rel", "oid:oid prpubid:oid prrelid:oid prqual:text prattrs:int2vector"},
      {"pg_publication_namespace", "oid:oid pnpubid:oid pnnspid:oid"},
      {
        "pg_subscription",
        "oid:oid subdbid:oid subname:name subowner:oid subenabled:bool "
            + "subconninfo:text subpublications:_text subbinary:bool substream:char"
      },
      {"pg_foreign_table", "ftrelid:oid ftserver:oid ftoptions:_text"},
      {
        "pg_foreign_server",
        """
        oid:oid srvname:name srvowner:oid srvfdw:oid srvtype:text srvversion:text srvacl:_text
        srvoptions:_text
        """
      },
      {
        "pg_foreign_data_wrapper",
        """
        oid:oid fdwname:name fdwowner:oid fdwhandler:oid fdwvalidator:oid fdwacl:_text
        fdwoptions:_text
        """
      },
      {"pg_partitioned_table", "partrelid:oid partstrat:char partnatts:int2 partdefid:oid"},
      {"pg_auth_members", "oid:oid roleid:oid member:oid grantor:oid admin_option:bool"},
      {"pg_db_role_setting", "setdatabase:oid setrole:oid setconfig:_text"},
      {
        "pg_opclass",
        """
        oid:oid opcmethod:oid opcname:name opcnamespace:oid opcowner:oid opcfamily:oid
        opcintype:oid opcdefault:bool opckeytype:oid
        """
      },
      {
        "pg_operator",
        """
        oid:oid oprname:name oprnamespace:oid oprowner:oid oprkind:char oprleft:oid oprright:oid
        oprresult:oid oprcode:regproc
        """
      },
      {
        "pg_cast",
        "oid:oid castsource:oid casttarget:oid castfunc:oid castcontext:char castmethod:char"
      },
      {"pg_aggregate", "aggfnoid:oid aggkind:char aggnumdirectargs:int2"},
      {
        "pg_event_trigger",
        "oid:oid evtname:name evtevent:name evtowner:oid evtfoid:oid evtenabled:char evttags:_text"
      },
      {"pg_views", "schemaname:name viewname:name viewowner:name definition:text"},
      {
        "pg_matviews",
        """
        schemaname:name matviewname:name matviewowner:name tablespace:name hasindexes:bool
        ispopulated:bool definition:text
        """
      },
      {
        "pg_sequences",
        """
        schemaname:name sequencename:name sequenceowner:name data_type:regtype start_value:int8
        min_value:int8 max_value:int8 increment_by:int8 cycle:bool cache_size:int8 last_value:int8
        """
      },
      {
        "pg_stats", "schemaname:name tablename:name attname:name null_frac:float4 n_distinct:float4"
      },
      {
        "pg_stat_user_tables",
        """
        relid:oid schemaname:name relname:name seq_scan:int8 idx_scan:int8 n_live_tup:int8
        n_dead_tup:int8
        """
      },
      {"pg_locks", "locktype:text database:oid relation:oid pid:int4 mode:text granted:bool"},
      {
        "pg_default_acl",
        "oid:oid defaclrole:oid defaclnamespace:oid defaclobjtype:char defaclacl:_text"
      },
      {"pg_largeobject_metadata", "oid:oid lomowner:oid lomacl:_text"},
      {"pg_cursors", "name:text statement:text is_holdable:bool"},
      {"pg_prepared_statements", "name:text statement:text"},
      {"pg_prepared_xacts", "transaction:xid gid:text prepared:timestamptz owner:name"},
      {"pg_seclabel", "objoid:oid classoid:oid objsubid:int4 provider:text label:text"},
      {"pg_seclabels", "objoid:oid classoid:oid objsubid:int4 provider:text label:text"},
      {
        "pg_conversion",
        "oid:oid conname:name connamespace:oid conowner:oid condefault:bool "
            + "conforencoding:int4 contoencoding:int4 conproc:regproc"
      },
      {"pg_ts_config", "oid:oid cfgname:name cfgnamespace:oid cfgowner:oid"},
      {"pg_ts_dict", "oid:oid dictname:name dictnamespace:oid dictowner:oid"},
      {"pg_stat_replication", "pid:int4 usename:name application_name:text state:text"},
    };
    for (String[] table : tables) {
      all.add(
          new SystemTable(
              Snapshot.PG_CATALOG, table[0], table[1], "", (snapshot, key, rows) -> {}));
    }
  }
}
