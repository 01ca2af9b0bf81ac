export const warehouseWords = {
  'warehouse.cli.aNumberOfMegabytes': 'It is a whole number of megabytes from {least} on.',
  'warehouse.cli.folderForTables': 'with --engine duckdb: folder for the tables of the run, which are removed at its end',
  'warehouse.cli.memoryOfTheEngine': 'with --engine duckdb: most megabytes of memory',
  'warehouse.cli.notWithAnEngine': '--propose and --allow-difference do not go with --engine: name rules with --rules.',
  'warehouse.cli.runTheRulesThere':
    'run the rules where the lines are, in a database: duckdb:FILE, postgres://USER@HOST/DATABASE or spark://USER@HOST:10000. --a and --b then name a table, a view or a Parquet file each, and what is open comes home into --data',
  'warehouse.cli.whichColumnIsWhat':
    'with --engine: a JSON file that says which column is what; else it is proposed, and asked about where unsure',
  'warehouse.cli.writeTheMapping': 'with --engine: write the mapping to a file, also where it has to be completed',
  'warehouse.command.aLineWasRefused': 'A line of {table} was refused, and nothing was brought home: {message}',
  'warehouse.command.atHomeAtOnce':
    'At most {lines, number} lines are at home at the same time, or one block with up to {most, number}. About {open, number} lines come home open, or fewer, as far as the counts of blocks show.',
  'warehouse.command.bringing': 'Open lines of {table}: {brought} of {total}',
  'warehouse.command.cameHome':
    'Open and brought home: {a, number} of {ofA, number} lines of side A, {b, number} of {ofB, number} of side B; {proposed, plural, =0{no proposal waits} one{# proposal waits} other{# proposals wait}} for you.',
  'warehouse.command.cohortsAreSettledThere':
    'Rule {id}: a cohort that one line alone may take is added up and settled there, the rest is read home in whole blocks.',
  'warehouse.command.completeIt': 'What is sure was written to {file}. Complete it, and give it as --mapping {file}.',
  'warehouse.command.ctrlCEndsIt': 'Ctrl+C ends it.',
  'warehouse.command.estimateOfRule':
    'If no earlier rule took a line: {blocks, number} blocks that both sides have, of which {alone, number} leave no choice; {compared, number} pairs are compared in the others, with up to {rivals, number} lines read home, and {home, number} lines are read home in any case. {a, number} lines of side A and {b, number} of side B share no block.',
  'warehouse.command.isNoMapping': '{file} is no mapping: {why}',
  'warehouse.command.itDoesNotExist': 'it does not exist',
  'warehouse.command.itTakes':
    '{lines, number} lines: at most {memory, number} MB of memory there, about {needed, number} MB of disk until the run ends, and about {minutes, plural, one{a minute} other{# minutes}} on two cores.',
  'warehouse.command.itTakesOnAServer':
    '{lines, number} lines: about {needed, number} MB of disk on the server until the run ends, as much memory as the server allows, and at least about {minutes, plural, one{a minute} other{# minutes}}.',
  'warehouse.command.leftOut':
    '{count, plural, one{# row was} other{# rows were}} left out, since a day, an amount or a currency is missing.',
  'warehouse.command.linesWereNotBrought': 'Lines of {table} could not be brought home.',
  'warehouse.command.matchesWereWritten': '{count, plural, one{# settled match was} other{# settled matches were}} written to {file}.',
  'warehouse.command.oneTableEach': 'With --engine, --{side} names one table, view or Parquet file.',
  'warehouse.command.openTheBook': 'Open the book with: tieout start --data {data}',
  'warehouse.command.rowsOfSides': '{a, number} rows of side A, {b, number} of side B',
  'warehouse.command.ruleAddsUpAnyLines':
    'Rule {id}: every block that both sides have is read home, since sums of any lines are searched there.',
  'warehouse.command.ruleFormsGroups':
    'Rule {id}: every block that both sides have is read home, since only the engine at home can say exactly what goes with its groups.',
  'warehouse.command.ruleFormsGroupsByDays':
    'Rule {id}: every block that both sides have is read home, since groups by days are formed there.',
  'warehouse.command.ruleIsSettledThere': 'Rule {id}: what has no rival is settled there, the rest is read home in whole blocks.',
  'warehouse.command.ruleIsSolvedAtHome':
    'Rule {id}: every block that both sides have is read home, since only the engine at home can say exactly: {conditions}.',
  'warehouse.command.ruleWouldBeRefused':
    'A block of rule {id} would hold {largest, number} lines. It is refused then, unless earlier rules take all but {most, number} of them.',
  'warehouse.command.settled':
    'Settled: {there, plural, one{# pair} other{# pairs}} there, {home, plural, one{# match} other{# matches}} at home out of {lines, plural, one{# line} other{# lines}} with rivals.',
  'warehouse.command.theAccountIsThere':
    'The book in {data} has an account {key} already. What comes home is a book of its own: give another --data folder.',
  'warehouse.command.theDiskHasNoRoom':
    'The run needs about {needed, number} MB of disk, and {free, number} MB are free: give --scratch a folder with more room.',
  'warehouse.command.theRulesAreThose':
    'No --rules: the default rules by reference, amount and day are used. Rules of evidence are not for a warehouse.',
  'warehouse.command.balancesHold': 'The balances of side {side} follow from its amounts in all {rows, number} rows.',
  'warehouse.command.bothSidesAreOne':
    '{name} cannot be both sides of a reconciliation, since every line would match itself: name the other table.',
  'warehouse.command.theSignsAreTaken': 'No --sign: both sides are taken to carry the same signs. --sign opposite says otherwise.',
  'warehouse.command.unknownEngine':
    '{engine} is no engine that Tieout speaks to. Give --engine duckdb:FILE, duckdb: for Parquet files alone, postgres://USER@HOST/DATABASE, or spark://USER@HOST:10000.',
  'warehouse.command.writeItDown': 'This is sure so far. Write it to a file, complete it, and give it as --mapping FILE:\n{sketch}',
  'warehouse.csv.aLineIsNotLikeTheOthers':
    'Line {line, number} of a CSV file is not like the others. None is left out in silence: mend the file. ({why})',
  'warehouse.csv.cannotBeRead': '{file} is not understood: {why}',
  'warehouse.csv.hasNoHeader': '{file} has no header, so nothing says which column is what: give it a first line with names.',
  'warehouse.csv.isNotInUtf8': '{file} is in {encoding}. DuckDB reads UTF-8 here: save it so.',
  'warehouse.csv.isUnclear': '{file} is unclear at its beginning: {why} Write its days as 2026-06-30 and its amounts as 1234.50.',
  'warehouse.csv.thereIsNoFile': 'There is no file {file}.',
  'warehouse.duckdb.cannotBeOpened': 'The DuckDB database {file} cannot be opened: {message}',
  'warehouse.duckdb.isNoDatabase':
    '{file} is no DuckDB database. A CSV or Parquet file is a side by itself: --engine duckdb: --a FILE.csv.',
  'warehouse.duckdb.noDatabaseWasNamed':
    '{name} is no CSV or Parquet file, and no database was named: give --engine duckdb:FILE with the database that has it.',
  'warehouse.duckdb.theDiskIsFull': 'The disk for the tables of the run is full: {message} Give --scratch a folder with more room.',
  'warehouse.duckdb.theMemoryIsTooSmall': 'The run needs more memory than it may take: give --memory more megabytes.',
  'warehouse.duckdb.thereIsNoTable': 'There is no such table, view or Parquet file: {message}',
  'warehouse.duckdb.thereIsNoFile': 'There is no DuckDB database {file}.',
  'warehouse.engine.aNumberIsTooLarge': 'The number {value} is too large to be a line or an amount.',
  'warehouse.engine.aStatementFailed': '{engine} refused a statement: {message}',
  'warehouse.engine.itWasCancelled': 'The run was cancelled. Nothing was written, and nothing is left there.',
  'warehouse.engine.theDriverIsMissing': 'The driver for {engine} is not installed. Install it beside Tieout: npm install -g {package}',
  'warehouse.lines.amountsAreTooLarge':
    'Side {side} has {count, plural, one{an amount} other{# amounts}} in {column} too large to be compared exactly.',
  'warehouse.lines.amountsAreUnread':
    'Side {side} has {count, plural, one{a row} other{# rows}} whose {column} spells no amount, such as 1234.50. Nothing is guessed: mend the table, or name a view that does.',
  'warehouse.lines.balancesAreBroken':
    'Side {side}: the balances in {column} do not follow from the amounts in {count, plural, one{a row} other{# rows}} of {rows, number}. A line may be missing or twice. Mend the table, or leave "balance" out of the mapping.',
  'warehouse.lines.daysAreOutOfRange':
    'Side {side} has {count, plural, one{a row} other{# rows}} whose {column} holds no day of the years 1 to 9999. Mend the table, or name a view without them.',
  'warehouse.lines.daysAreUnread':
    'Side {side} has {count, plural, one{a row} other{# rows}} whose {column} spells no day that exists, such as 2026-06-30. Whether the day or the month comes first is not guessed: mend the table, or name a view that does.',
  'warehouse.lines.isNoCurrency': 'Side {side} has “{value}” in {column}, which is no currency code, such as EUR.',
  'warehouse.lines.moreDecimalPlaces':
    'Side {side} has {count, plural, one{a row} other{# rows}} whose {column} has more decimal places than the currency. Amounts are never rounded: name a view that says what they are.',
  'warehouse.lines.noDirection':
    'Side {side} has {count, plural, one{a row} other{# rows}} whose {column} is neither among the words for money in nor among those for money out: complete both lists of the mapping.',
  'warehouse.lines.rowsAreEmpty':
    'Side {side} has {count, plural, one{a row} other{# rows}} without a day, an amount or a currency. Say "empty_rows": "leave_out" in the mapping to reconcile without them.',
  'warehouse.lines.theTableChanged': 'The table {table} changed while it was read. Nothing was reconciled: run again.',
  'warehouse.mapping.floatsForMoney':
    'Side {side}: {column} holds floating point numbers ({type}), which cannot hold all amounts. Say "floats": "as_printed" in the mapping to take each as the shortest decimal that it prints, or name a view with decimals.',
  'warehouse.mapping.holdsNoAmounts': 'Side {side}: {column} holds {type}, which is no amount.',
  'warehouse.mapping.holdsNoDays': 'Side {side}: {column} holds {type}, which is no day.',
  'warehouse.mapping.instantsNeedAZone':
    'Side {side}: {column} holds instants ({type}). Say in the mapping in which time zone a day begins, such as "time_zone": "Europe/London".',
  'warehouse.mapping.majorOrMinor':
    'Side {side}: {column} holds whole numbers. Say in the mapping whether they are currency units ("unit": "major") or minor units such as cents ("unit": "minor").',
  'warehouse.mapping.noAmountColumn':
    'Side {side}: no column was found that holds the amounts. Name it in the mapping as "amount", or name there one for money in and one for money out, as "in" and "out" of "amount".',
  'warehouse.mapping.notUnderstood': 'Side {side} was not understood: {message} Write its mapping by hand.',
  'warehouse.mapping.theTableIsEmpty': 'The table has no rows.',
  'warehouse.mapping.thereIsNoColumn': 'Side {side} has no column {column}, which the mapping names as {what}. It has: {columns}.',
  'warehouse.mapping.whichCurrency':
    'Side {side}: no column holds currencies. Say in the mapping which one all lines have, such as "currency": "EUR".',
  'warehouse.mapping.whichSign':
    'Side {side}: nothing shows whether a positive amount in {column} is money in or out. Say "sign": "positive_in" or "positive_out" in the mapping, or name a column of words.',
  'warehouse.postgres.cannotBeReached': 'The PostgreSQL server cannot be reached: {message}',
  'warehouse.postgres.hasNoRight':
    'The user of the PostgreSQL database lacks a right: {message}. It has to read both tables, and to make temporary tables (TEMPORARY on the database); it needs nothing else.',
  'warehouse.postgres.isNoAddress': '{address} is no address of a PostgreSQL database, such as postgres://USER@HOST:5432/DATABASE.',
  'warehouse.postgres.isNotInUtf8':
    'The PostgreSQL database is in {encoding}, in which texts cannot be compared exactly: only UTF8 is read.',
  'warehouse.postgres.isNotLetIn':
    'The PostgreSQL server does not let this user in: {message}. Check name and password; PGPASSWORD keeps the password out of the command.',
  'warehouse.postgres.theConnectionWasLost':
    'The connection to the PostgreSQL server was lost. Nothing was written, and the server removes the tables of the run: run again. ({message})',
  'warehouse.postgres.theDiskIsFull': 'The disk of the PostgreSQL server is full: {message}',
  'warehouse.postgres.thereIsNoDatabase': 'The PostgreSQL server has no such database: {message}',
  'warehouse.postgres.thereIsNoTable': 'There is no such table: {message}. A table without a schema is looked for in public.',
  'warehouse.run.aBlockIsTooLarge':
    'Rule {id} would compare {ofA, number} lines of side A with {ofB, number} of side B, each with each, since nothing that must be equal tells them apart; the most is {most, number} together. Add a condition that references or days are equal, or an amount without a tolerance.',
  'warehouse.run.aFieldHasNoColumn':
    'Rule {id} reads {field} of side {side}, and the mapping names no column for it: name one, or give --rules that do without.',
  'warehouse.run.blocksAreFormed': 'Rule {id}: forming blocks',
  'warehouse.run.cohortsAreAddedUp': 'Rule {id}: adding up cohorts',
  'warehouse.run.evidenceIsNotWeighed':
    'Rule {id} weighs evidence, which is not done in a warehouse. Give --rules with conditions, such as equal references and amounts.',
  'warehouse.run.groupsComeLast':
    'Rule {id} adds up lines and is not the last one. What a later rule settles there would be missing from its groups at home: put one rule for groups at the end.',
  'warehouse.run.loading': 'Reading the lines of both sides',
  'warehouse.run.pairsAreCompared': 'Rule {id}: comparing pairs',
  'warehouse.run.rivalsAreSolved': 'Rule {id}: {lines, number} of {total, number} lines with rivals, solved at home',
  'warehouse.spark.cannotBeReached': 'The Thrift server of Spark cannot be reached: {message}',
  'warehouse.spark.hasNoRight':
    'The user of Spark lacks a right: {message}. It has to read both tables, and to create a database of its own; it needs nothing else.',
  'warehouse.spark.isNoAddress':
    '{address} is no address of a Thrift server, such as spark://USER@HOST:10000, or spark+https://token:PASSWORD@HOST/PATH.',
  'warehouse.spark.isNotLetIn':
    'The Thrift server of Spark does not let this user in: {message}. Check name and password; SPARK_PASSWORD keeps the password out of the command.',
  'warehouse.spark.theConnectionWasLost':
    'The connection to Spark was lost. Nothing was brought home. Run again; a database {room} that is left there may be dropped. ({message})',
  'warehouse.spark.thereIsNoTable': 'There is no such table, view or Parquet file: {message}',
} as const;
