export const statementWords = {
  'statement.unpackedSize.saveTheSheetWithTheStatement': 'Save the sheet with the statement as CSV and choose that file.',
  'statement.unpackedSize.workbookUnpacksToMoreThanMb':
    'The workbook unpacks to more than {megabytes} MB, the limit for a file of its size. {saveAsCsv}',
  'statement.unpackedSize.theWorkbookHasMoreThan': 'The workbook has more than {workbookCells} cells. {saveAsCsv}',
  'statement.unpackedSize.thePartOfTheWorkbook': 'The part {name} of the workbook unpacks to more than {partBytes} MB. {saveAsCsv}',
  'statement.unpackedSize.aCellOfTheWorkbook': 'A cell of the workbook (in {name}) is longer than {cellCharacters} MiB. Shorten it.',
  'statement.unpackedSize.workbookHasTooManyTexts': 'The workbook has more than {sharedTexts} different texts. {saveAsCsv}',
  'statement.unpackedSize.aSheetOfTheWorkbook': 'A sheet of the workbook ({name}) has more than {sheetRows} rows. {saveAsCsv}',
  'statement.dateOrder.thenTheRowsRun': 'then the rows run in the order of days',
  'statement.dateOrder.thenTheyAreDays': 'then they are days of the period that the file states',
  'statement.dateOrder.thenTheRows': 'then the rows are in the order of days',
  'statement.dateOrder.itAgreesWithTheDay': "it agrees with the day in the file's name",
  'statement.dateOrder.thenTheRowsLieClose': 'then the rows lie close together',
  'statement.dateOrder.thatIsUsualFor': 'that is usual for {currency}',
  'statement.dateOrder.thatIsUsualWhereDecimals': 'that is usual where decimals stand behind a comma',
  'statement.dateOrder.asksForIt': '{name} asks for it',
  'statement.dateOrder.manyFilesInWriteTheMonthFirst': 'many files in {currency} write the month first',
  'statement.dateOrder.mostOfTheWorldWrites': 'most of the world writes the day first',
  'statement.dates.doesNotExistHasDays': 'does not exist: {months} {year} has {days} days.',
  'statement.dates.monthFirst': 'month first',
  'statement.dates.yearFirst': 'year first',
  'statement.dates.dayFirst': 'day first',
  'statement.dates.numbersOfDaysAsSpreadsheets': 'numbers of days, as spreadsheets count them: 45293 is 2024-01-02',
  'statement.dates.secondsSinceEpoch': 'seconds since 1970, and their day is that of Greenwich: 1704153600 is 2024-01-02',
  'statement.dates.millisecondsSince1970AndTheirDay':
    'milliseconds since 1970, and their day is that of Greenwich: 1704153600000 is 2024-01-02',
  'statement.lineLimits.descriptionInRowHasCharacters':
    'The description in row {row} has {description} characters; {descriptionLength} is the limit. Shorten it in the file.',
  'statement.lineLimits.idInRowHasCharacters':
    'The id in row {row} has {externalId} characters; {externalIdLength} is the limit. Shorten it in the file.',
  'statement.lineLimits.theFurtherFieldsOfRow':
    'The further fields of row {row} hold {metadataBytes} bytes; {metadataBytes2} is the limit. Shorten one in the file.',
  'statement.lineLimits.aTextInRowHolds':
    'A text in row {row} holds half of a character (a lone surrogate), so it cannot be kept as it is. Export the file anew, or correct it there.',
  'statement.layout.theRowsHaveMoreCells':
    'The rows have more cells than the header: their amounts are written with the sign that separates cells. Export the file with another delimiter, or with quotation marks around amounts.',
  'statement.layout.noColumnHoldsDates':
    'No column holds dates. A statement needs a column of booking dates, such as 2026-06-30 or {other}.',
  'statement.layout.noColumnHoldsAmounts':
    'No column holds amounts. A statement needs an amount column, or columns for money in and money out.',
  'statement.recipe.rowCannotBeTheHeader':
    'Row {row} cannot be the header: it is blank, or not among the first {headerSearchRows} rows. Choose the row that names the columns, or none.',
  'statement.bai2.withdrawsWhatTheBankSent': 'withdraws what the bank sent before. Undo the import of that file',
  'statement.bai2.isATest': 'is a test. Ask the bank for the true file',
  'statement.bai2.rowWithoutRecordCode': 'Row {row} begins with no BAI2 record code (01, 02, 03, 16, 49, 88, 98, 99); it was left out.',
  'statement.bai2.endRecord': 'its whole end record (99)',
  'statement.bai2.fileThatBeginsInRow':
    'The file that begins in row {row} has no end record (99) before the next one begins in row {row2}: a part of it is missing. Ask the bank for it again.',
  'statement.bai2.theGroupInRowCorrects':
    'The group in row {row} corrects what the bank sent before (status 3). Undo the import of that file, or its transactions count twice.',
  'statement.bai2.theTransactionInRowStands':
    'The transaction in row {row} stands under no account (record 03). Ask the bank for the file again.',
  'statement.bai2.rowIsInformationWithoutAnAmount': 'Row {row} is information without an amount (type {type}) and was left out.',
  'statement.bai2.theTypeInRowSays':
    'The type {type} in row {row} says neither credit (100 to 399) nor debit (400 to 699). Correct it in the file.',
  'statement.bai2.transactionInRowWasNotTaken': 'The transaction in row {row} was not taken: the group in row {row2} {isNone}.',
  'statement.bai2.transactionInRowHasNoDate':
    'The transaction in row {row} has no date: the group {noGroup, select, yes{is missing} other{in row {row2} says {dateText}}}. Correct it in the file.',
  'statement.bai2.theControlTotalOfAccount': 'The control total of account {account}',
  'statement.bai2.controlTotalOfTheGroup': 'The control total of the group',
  'statement.bai2.numberOfAccountsOfTheGroup': 'The number of accounts of the group',
  'statement.bai2.controlTotalOfTheFile': 'The control total of the file',
  'statement.bai2.numberOfGroupsOfTheFile': 'The number of groups of the file',
  'statement.bai2.numberOfRecordsOfTheFile': 'The number of records of the file',
  'statement.camt.entryInRowHasNoBookingDate':
    'The entry in row {row} has no booking date (BookgDt) and no value date (ValDt). Ask the bank for the file again.',
  'statement.camt.transactionsHaveNoDateBookgdt':
    '{rows, plural, one{# transaction has} other{# transactions have}} no date (BookgDt, ValDt); the day of the statement was taken.',
  'statement.camt.holdsNoStatement': 'holds no statement',
  'statement.camt.isNoBankStatementIt': 'is no bank statement: it lacks the element BkToCstmrStmt',
  'statement.camt.camtFileDownloadTheStatement': 'The CAMT file {what}. Download the statement of the account again.',
  'statement.camt.transactionsNotBookedYetLeft':
    '{later, plural, one{# transaction} other{# transactions}} not booked yet {were} left out; the bank sends them again when they are booked.',
  'statement.camt.transactionsThatTheBankLists':
    '{never, plural, one{# transaction} other{# transactions}} that the bank lists for information alone (status INFO) {were} left out; they are not booked on the account.',
  'statement.camt.theStatementInRowSays':
    'The statement{hasAccount, select, yes{ of account {account}} other{}} in row {row} says that it is not its last page, and the file has no page behind it. Import the file with the next page as well.',
  'statement.camt.balanceInRowCannotBeRead': 'The balance in row {row} cannot be read, so it proves nothing. Compare it by hand.',
  'statement.camt.theTotalOfS': 'The total of {direction}s',
  'statement.camt.theNumberOfEntries': 'The number of entries',
  'statement.camt.theAmountOfTheEntry':
    'The amount {amount} of the entry in row {row} (Amt) cannot be read as an amount in {own}. Ask the bank for the file again.',
  'statement.camt.theEntryInRowSays': 'The entry in row {row} says neither credit nor debit (CdtDbtInd). Ask the bank for the file again.',
  'statement.mt940.theMessageThatBeginsThere': 'the message that begins there',
  'statement.mt940.messageThatBeginsInRowEnds':
    'The message that begins in row {row} ends before the next one in row {row2} without {missing}: a part of it is missing. Ask the bank for the whole file.',
  'statement.mt940.closingBalance': 'the closing balance (tag 62) of the statement that opens in row {row}',
  'statement.mt940.totalsOrEnd': 'the totals (tags 90D and 90C) or the end (-) of the message that begins in row {row}',
  'statement.mt940.theStatementOfAccountGoes':
    'The statement of account {account} goes on behind its page that closes in row {row} (tag 62M), but the file has no page behind it. Ask the bank for the whole file.',
  'statement.mt940.theNumberOfS': 'The number of {direction}s',
  'statement.mt940.theTotalOfS': 'The total of {direction}s',
  'statement.mt940.theBalanceInRowTag':
    'The balance {text} in row {row} (tag {tag}) cannot be read, so it proves nothing. Compare it by hand.',
  'statement.mt940.theStatementLineInRow':
    'The statement line {text} in row {row} (tag 61) does not follow the format. Correct it, or ask the bank for the file again.',
  'statement.mt940.theValueDateInRow':
    'The value date {date} in row {row} does not exist on the calendar; the booking date {bookedDay} was taken.',
  'statement.nacha.rowIsNoNachaRecord': 'Row {row} is no NACHA record (it begins with {text}); it was left out.',
  'statement.nacha.itsWholeFileControlRecord': 'its whole file control record (9)',
  'statement.nacha.fileThatBeginsInRow':
    'The file that begins in row {fileRow} has no file control record (9) before the next one begins in row {row}: a part of it is missing. Ask the bank for it again.',
  'statement.nacha.theTransactionCodeInRow':
    'The transaction code {code} in row {row} says neither credit nor debit. Correct it in the file.',
  'statement.nacha.transactionCode': 'transaction code',
  'statement.nacha.theEntryInRowStands': 'The entry in row {row} stands in no batch (record 5). Ask for the file again.',
  'statement.nacha.dayTheFileWasMade': 'the day the file was made',
  'statement.nacha.itsSettlementDate': 'its settlement date',
  'statement.nacha.batchInRowHasNoEffectiveDate': 'The batch in row {row} has no effective date; {taken} was taken.',
  'statement.nacha.effectiveDateOfTheBatch':
    'The effective date {dateText} of the batch in row {row} does not exist on the calendar, so the entry in row {row2} has no date. Correct it in the file.',
  'statement.nacha.effectiveDate': 'effective date',
  'statement.nacha.ofBatch': '{what} of batch {number}',
  'statement.nacha.numberOfEntriesAndAddenda': 'The number of entries and addenda',
  'statement.nacha.theEntryHash': 'The entry hash',
  'statement.nacha.theTotalOfDebits': 'The total of debits',
  'statement.nacha.theTotalOfCredits': 'The total of credits',
  'statement.nacha.ofTheFile': '{what} of the file',
  'statement.nacha.theNumberOfBatches': 'The number of batches',
  'statement.ofx.theOfxFileDeclaresEntities': 'The OFX file declares entities in row {row}, which no statement needs; it was not read.',
  'statement.ofx.documentTypeThatTheFileDeclares':
    'The document type that the file declares in row {row} was not looked at; nothing outside the file is read.',
  'statement.ofx.ofxFileHoldsNoBank': 'The OFX file holds no bank or card statement. Download the statement of the account again.',
  'statement.ofx.noReason': 'no reason',
  'statement.ofx.theBankAnsweredCodeInstead': 'The bank answered {words} (code {textOf}) instead of a statement. Download it again later.',
  'statement.ofx.transactionsNotBookedYetWereLeftOut':
    '{pending, plural, one{# transaction not booked yet was} other{# transactions not booked yet were}} left out; the bank sends them again when they are booked.',
  'statement.ofx.investmentTransactionsPurchasesSalesIncome':
    '{others, plural, one{# investment transaction (purchases, sales, income) was} other{# investment transactions (purchases, sales, income) were}} left out; only the deposits and withdrawals of the account are bank transactions.',
  'statement.ofx.transactionInRowHasNoDate':
    'The transaction in row {row} has no date (DTPOSTED). Ask the bank for the file again, or enter it by hand.',
  'statement.ofx.hasMoreThanDecimals': 'has more than {maxPlaces} decimals',
  'statement.ofx.cannotBeRead': 'cannot be read',
  'statement.ofx.theAmountOfTheTransaction':
    'The amount {text} of the transaction in row {row} (TRNAMT) {fault}. Ask the bank for the file again, or enter it by hand.',
  'statement.readPdf.pdfIsLockedWithAPassword':
    'The PDF is locked with a password. Enter the password that the bank gave you for it; it is not stored.',
  'statement.readPdf.thePasswordDoesNotOpen':
    'The password does not open the PDF. Check it (banks often use a birthday or an account number) and enter it again.',
  'statement.readPdf.pdfHasPages':
    'The PDF has {pages} pages, more than an account statement can have here. Ask the bank for a shorter period.',
  'statement.readPdf.readingThePdfTookTooLong':
    'Reading the PDF took too long or needed too much memory, so it was given up. Ask the bank for the statement as CSV, MT940 or CAMT.',
  'statement.readPdf.pdfIsDamagedOrWasCutOff': 'The PDF is damaged or was cut off, so it cannot be read to its end. Download it again.',
  'statement.readPdf.thePdfHoldsAPicture':
    'The PDF holds a picture of a statement (a scan) or empty pages, and no text. Tieout does not recognise letters in pictures: download the statement from the bank as PDF, CSV, MT940 or CAMT.',
  'statement.readPdf.theTextOfThePdf':
    'The text of the PDF is broken: what its pages show as letters and figures is stored as other signs, so nothing in it can be trusted. Ask the bank for the statement as CSV, MT940 or CAMT.',
  'statement.readPdf.thePdfDoesNotLook':
    'The PDF does not look like an account statement: it has no table with days, amounts and a balance. Choose the statement of the account, or ask the bank for it as CSV, MT940 or CAMT.',
  'statement.readPdf.hasAnAmountOnBoth': '{row} has an amount on both sides, so it is not clear what moved: {words}.',
  'statement.readPdf.pagesArePictures':
    'The pages are pictures, and a program wrote the text behind them. It often reads figures wrong: only what the balances prove is right.',
  'statement.readPdf.otherFilesAreAttachedToThePdf': 'Other files are attached to the PDF. They were not read.',
  'statement.readPdf.fileSaysItselfInWhichYear':
    'The file says itself in which year its dates are, so the year {said} that was given is not used.',
  'statement.readPdf.dayFirst': 'day first',
  'statement.readPdf.monthFirst': 'month first',
  'statement.readPdf.yearFirst': 'year first',
  'statement.readPdf.theDatesOfTheFile':
    'The dates of the file can be read in more than one order, and its period fits them all. Say which it is.',
  'statement.readPdf.theDatesOfThePdf':
    'The dates of the PDF have no year, and it states none. Say in which year its last transaction is{noMade, select, yes{} other{ (the file says that it was made in {made})}}.',
  'statement.readPdf.amountsWithoutASignAreMoney': 'amounts without a sign are money in',
  'statement.readPdf.amountsWithoutASignAreMoneyOut': 'amounts without a sign are money out',
  'statement.readPdf.byTheHeadingsOfTheSections': 'by the headings of the sections',
  'statement.readPdf.balancesHoldForMoreThanOne':
    'The balances hold for more than one reading of the signs. Say which amounts are money in.',
  'statement.readPdf.hasTheDate':
    '{row} has the date {day}, far from the days of the lines beside it or of the statement. Check it, and agree to import the lines nevertheless.',
  'statement.readPdf.hasNoWholeDate':
    '{row} has no whole date where the rows like it have one, so its day is not sure: {words}. Check it, and agree to import the lines nevertheless.',
  'statement.readPdf.transactionsAreNotBetweenTwo':
    '{open, plural, one{# transaction} other{# transactions}}{hasAccount, select, yes{ of account {account}} other{}} {open, plural, one{is not between two balances of the file, so nothing proves it} other{are not between two balances of the file, so nothing proves them}}: from {row}, {words}. Check the lines, and agree to import them nevertheless.',
  'statement.readPdf.mayBeADebt':
    'The file has the words of a card{hasAccount, select, yes{ and they are not beside account {account}} other{}}: if it is a debt, what looks like money in is money out. Check the lines, and agree to import them nevertheless.',
  'statement.readPdf.theFileStatesNoBalance':
    'The file states no balance{hasAccount, select, yes{ of account {account}} other{}}, so nothing proves its lines. Check them, and agree to import them nevertheless.',
  'statement.readPdf.balanceIsButTheLinesBefore':
    '{row}: the balance{hasAccount, select, yes{ of account {account}} other{}} is {found}, but the lines before it lead to {expected}, {difference} too {isFound, select, yes{little} other{much}}.{hasLine, select, yes{ The break is at or before {line}, {words}.} other{}} A line or a page is missing, doubled or changed: ask the bank for the file again.',
  'statement.readPdf.hasNoDate': '{row} has no date.',
  'statement.readPdf.hasNoYear': '{row}: {date} has no year, and the file states none.',
  'statement.readPdf.isNoDateThatExists': '{row}: {date} is no date that exists.',
  'statement.rows.rowOnPage': 'Row {row} on page {page}',
  'statement.whole.thePagesOfTheFile': 'The pages of the file are numbered',
  'statement.whole.pagesAreNumberedTo': 'The pages of the file are numbered to {of}',
  'statement.whole.andItDoesNotHold': '{numbered}, and it does not hold each of them: a page is missing. Ask the bank for the whole file.',
  'statement.whole.theFirstBalance': 'The first balance',
  'statement.whole.isTheFirstBalanceThatWasRead':
    '{openingRow} is the first balance that was read, and nothing says that it is the first one of the statement: a page before it may be missing, or has lines that were not understood. Compare the first day with the paper, and agree to import the lines nevertheless.',
  'statement.whole.statesAnotherOpeningBalance':
    '{row} states another opening balance than the one with which the lines begin, so lines may be missing before them. Check the first pages, and agree to import the lines nevertheless.',
  'statement.whole.namesAnAccountWithBalances':
    '{row} names an account with balances that the pages do not lead to: {words}. A page of that account is missing or was not understood. Check the accounts, and agree to import the lines nevertheless.',
  'statement.whole.theSameTransactionsAreTwice':
    '{row} begins transactions with balances that the file has already: a page is in it twice. Ask the bank for the file again, or remove the page.',
  'statement.whole.lastPageEndsWithABalance':
    'The last page ends with a balance that is carried forward, and no page follows: the end of the file is missing. Ask the bank for the whole file.',
  'statement.whole.theBalancesProveEachLine':
    'The balances prove each line up to the last one, but the file states neither a closing balance nor the sums of what came in and went out, so lines may be missing behind it. Compare the last line with the paper, and agree to import the lines nevertheless.',
  'statement.whole.statesSumsThatAreNotThoseOfTheLines':
    '{row} states sums ({printed}) that are not those of the lines, which have {into} in and {out} out. Lines may be missing, although the balances hold. Compare them with the paper, and agree to import the lines nevertheless.',
  'statement.qif.qifFileHasNoBank':
    'The QIF file has no bank, cash or card transactions{leftOut, plural, =0{} one{ (# investment or list record left out)} other{ (# investment or list records left out)}}. Export the account’s register.',
  'statement.qif.theDatesReadMonthFirst':
    'The dates read month first and day first alike; they were read {order}, because {assumedBecause}. Check one of them.',
  'statement.qif.recordsOfInvestmentsSecuritiesCategories':
    '{leftOut, plural, one{# record of investments, securities, categories and other lists is no bank transactions and was} other{# records of investments, securities, categories and other lists are no bank transactions and were}} left out.',
  'statement.qif.registerBeginsWithItsOpeningBalance':
    'The register begins with its opening balance, which was read as a transaction: {rows}. Leave it out where the book has that balance already.',
  'statement.qif.theLastRecordInRow':
    'The last record, in row {unended}, lacks its end (^): the file may be cut off. Compare that transaction with the bank.',
  'statement.qif.theEndOfTheRecord': 'the end (^) of the record in row {torn}',
  'statement.qif.amountsMayBeThousands':
    'Amounts such as 1{group}234 could be thousands or decimals; they were read as thousands. Check one of them.',
  'statement.qif.theBalanceOfTheAccount': 'The balance of the account',
  'statement.qif.theTransactionInRowStands': 'The transaction in row {row} stands under an account without a name. Name it in the file.',
  'statement.qif.hasNoDateD': 'has no date (D)',
  'statement.qif.hasTheDate': 'has the date {written}, which is none',
  'statement.qif.hasTheDateWhichDoesNotExist': 'has the date {written}, which does not exist on the calendar',
  'statement.qif.theTransactionInRowCorrect': 'The transaction in row {row} {what}. Correct it in the file.',
  'statement.qif.hasNoAmountT': 'has no amount (T)',
  'statement.qif.hasTheAmount': 'has the amount {text}, which cannot be read',
  'statement.readFormat.itNamesNoAccount': 'It names no account.',
  'statement.readFormat.itHas': 'It has {names}.',
  'statement.readFormat.theFileHoldsNoAccount': 'The file holds no account {account}. {has}',
  'statement.readFormat.oneEntryHoldsTransactions': 'One entry holds {parts} transactions',
  'statement.readFormat.entriesHoldTransactions': '{entries} entries hold {parts} transactions',
  'statement.readFormat.eachTransactionBecameALine': 'each transaction became a line of its own',
  'statement.readFormat.eachEntryBecameOneLine':
    'each entry became one line that names them; their transactions can be taken as lines instead',
  'statement.readFormat.asTheFormatSays': 'as the format says',
  'statement.readFormat.transactionsNotBookedYetWereLeftOut':
    '{rows, plural, one{# transaction not booked yet was left out: {rows2}. The bank sends it again when it is} other{# transactions not booked yet were left out: {rows2}. The bank sends them again when they are}} booked.',
  'statement.readFormat.fileSaysNotItsOwnCurrency':
    'The file says {main}, not {wished}; its own currency was taken. Check that this is the right file.',
  'statement.readFormat.theCurrencyOfTheTransaction':
    '{written}, the currency of the transaction in row {row}, is none. Ask the bank for the file again, or write the three letters, such as EUR.',
  'statement.readFormat.theClosingBalanceInRow':
    'The closing balance{hasAccount, select, yes{ of account {account}} other{}} in row {row} is {minor}, but the opening balance {minor2} and {entries, plural, one{# transaction} other{# transactions}} lead to {reached}: {abs} too {isDifference, select, yes{much} other{little}}. Look for a missing, doubled or changed transaction there.',
  'statement.readFormat.inRowIsButWereFound':
    '{what} in row {row} is {stated}, but {found} were found. The sums decide whether something is missing.',
  'statement.readFormat.inRowIsButTheRows':
    '{what} in row {row} is {stated}, but the rows give {found}. The file may be cut or changed: ask for it again.',
  'statement.readFormat.balancesWithoutADateThatExists':
    'Balances without a date that exists are kept for no day: {undated}. Enter them by hand if they are needed.',
  'statement.readFormat.theOpeningBalanceOfAccount':
    'The opening balance{noAccount, select, yes{} other{ of account {account}}} in row {row} is {minor}, but the statement before it closes with {minor2} (row {row2}): {abs} too {isDifference, select, yes{much} other{little}}. Look for a missing or doubled statement there.',
  'statement.parts.theEntryInRowHolds':
    'The entry in row {row} holds {parts} transactions, and its line names the first of them alone. Take them as lines of their own to keep all.',
  'statement.writtenValues.doesNotExistOnTheCalendar': 'does not exist on the calendar.',
  'statement.writtenValues.theDateInRowCorrect': 'The date {text} in row {row} ({field}) {why} Correct it in the file.',
  'statement.writtenValues.theFileEndsInRow':
    'The file ends in row {row} without {missing}: it is cut off, and what came after that row is missing. Ask the bank for the whole file.',
  'statement.writtenValues.fileEndsInTheMiddle':
    'The file ends in the middle of the transaction in row {row}, which was not read. Ask the bank for the whole file.',
  'statement.writtenValues.isNoAmountCorrectIt': 'is no amount. Correct it in the file.',
  'statement.writtenValues.hasMoreDecimalsThanItsCurrency': 'has more decimals than its currency. Check the currency.',
  'statement.writtenValues.isLargerThanAnAmount': 'is larger than an amount can be. Check whether another column slipped in.',
  'statement.writtenValues.theAmountInRow': 'The amount {text} in row {row} {faults}',
  'statement.lineArithmetic.openingBalanceAndTheLines':
    'The opening balance {opening} and the lines that go in make {opening2}, and the closing balance is {closing}.',
  'statement.lineArithmetic.theLinesAreInSeveral': 'The lines are in several currencies ({currencies}), which no balance adds up.',
  'statement.lineArithmetic.theBalancesOfTheFile': 'The balances of the file hold more than the lines that go in.',
  'statement.lineArithmetic.soNothingIsProvedBy':
    '{ends}{missing, plural, =0{} one{ # row of the file does not go in.} other{ # rows of the file do not go in.}} So nothing is proved by them.',
  'statement.lineArithmetic.theFileHasNoTransactions':
    'The file has no transactions and states no balance of a day. Choose another period and download it again.',
  'statement.lineArithmetic.onlyBalancesGoIn':
    'The file has no transactions. What goes in is its balances{isPeriods, select, yes{} other{ and the days that it covers, {days}}}.',
  'statement.problems.readingWasCancelled': 'Reading was cancelled; nothing was imported.',
  'statement.packedFile.thisIsAnOpendocumentFile':
    'This is an OpenDocument file (ODS), which is not read. Save the sheet as an Excel workbook (XLSX) or as CSV and choose that file.',
  'statement.packedFile.zipArchiveHoldsNoFile': 'The zip archive holds no file {wanted} (any more). Choose it again.',
  'statement.packedFile.theArchiveIsCutOff':
    'The {kind} archive is cut off or damaged. Download it again, or unpack it and choose the file inside.',
  'statement.packedFile.archiveIsProtectedByAPassword':
    'The {kind} archive is protected by a password. Unpack it and choose the file inside.',
  'statement.packedFile.archiveUnpacksToMoreThanMb':
    'The {kind} archive unpacks to more than {megabytes} MB, the limit for one of its size. Unpack it and choose the file inside.',
  'statement.packedFile.isEmpty': 'is empty',
  'statement.packedFile.holdsNoFileOnlyFolders': 'holds no file, only folders or files of the system',
  'statement.packedFile.zipArchiveChooseTheArchive':
    'The zip archive {what}. Choose the archive with the statement, or the statement itself.',
  'statement.packedFile.theZipArchiveHoldsFiles':
    'The zip archive holds {files} files: {listed}{more}. Unpack it and import them one by one; nothing of it was imported.',
  'statement.packedFile.theArchiveHoldsAnotherArchive':
    'The archive holds another archive, {name}. Unpack it and choose the statement inside.',
  'statement.readTable.fileHasMoreThanRows': 'The file has more than {rows} rows. Split it by period and import the parts.',
  'statement.chooseReading.theColumnDoesNotRun':
    'The column {name} does not run with the rows: it is the balance of one day, or holds more than what is booked. It proves nothing.',
  'statement.chooseReading.balanceInRow':
    'The balance in row {row} is {found}, but the rows before it lead to {expected}: {abs} too {isDifference, select, yes{much} other{little}}.{others, plural, =0{} one{ # later balance does not follow either.} other{ # later balances do not follow either.}} Look for a missing, doubled or changed row there.',
  'statement.chooseReading.amountsSuchAs1234Or':
    'Amounts such as 1.234 or 1,234 could be thousands or decimals; the {mark} was read as the decimal mark. Check one of them.',
  'statement.tableAccounts.columnNamesAccounts':
    'The column {column} names {named} accounts ({named2}), and nothing shows whether they are your own: all rows were read together. Name one of them as the account to import its rows alone.',
  'statement.tableAccounts.rowsOfOtherAccounts':
    '{rows, plural, one{# row of other accounts than {account} was} other{# rows of other accounts than {account} were}} left out.',
  'statement.tableAccounts.noColumnOfTheFile':
    'No column of the file names accounts, so {account} cannot be chosen among them. Leave the account out, or say which column names accounts.',
  'statement.tableAccounts.theColumnHoldsNoAccount': 'The column {column} holds no account {account}. It has {named}.',
  'statement.read.fileIsOfTheFormat':
    'The file is of the format {format}, which says itself what everything means; how a table is read is said of tables alone. Import it as it is.',
  'statement.read.theFileIsNoWorkbook': 'The file is no workbook, so it has no sheet {sheet}. Leave the sheet out.',
  'statement.read.encodingIsToBeWhichIsNotKnown':
    'The encoding is to be {encoding}, which is not known. Write one such as utf-8 or windows-1252, or leave it out.',
  'statement.originals.theAccountNumberIsWrong': 'the account number is wrong',
  'statement.originals.accountNumberOfTheCreditorIsWrong': 'the account number of the creditor is wrong',
  'statement.originals.theAccountIsClosed': 'the account is closed',
  'statement.originals.theAccountIsBlocked': 'the account is blocked',
  'statement.originals.theAccountIsAConsumers': 'the account is a consumer’s, which may not be debited so',
  'statement.originals.theAccountMayNotTake': 'the account may not take such payments',
  'statement.originals.bankCodeOfTheOperationIsWrong': 'the bank’s code of the operation is wrong',
  'statement.originals.thereWasNotEnoughMoney': 'there was not enough money',
  'statement.originals.itWasMadeTwice': 'it was made twice',
  'statement.originals.theAmountIsWrong': 'the amount is wrong',
  'statement.originals.itWasReturnedBefore': 'it was returned before',
  'statement.originals.theAddressOfTheCreditor': 'the address of the creditor is missing',
  'statement.originals.theCreditorIsNotKnown': 'the creditor is not known',
  'statement.originals.creditorsBankIsNotReached': 'the creditor’s bank is not reached by this way',
  'statement.originals.theCustomerAskedForIt': 'the customer asked for it',
  'statement.originals.debtorsBankIsNotReached': 'the debtor’s bank is not reached by this way',
  'statement.originals.itWasCalledBack': 'it was called back',
  'statement.originals.fraudIsSuspected': 'fraud is suspected',
  'statement.originals.thereIsNoMandate': 'there is no mandate',
  'statement.originals.theMandateLacksSomething': 'the mandate lacks something',
  'statement.originals.payerAskedForTheMoneyBack': 'the payer asked for the money back',
  'statement.originals.thePayerHasDied': 'the payer has died',
  'statement.originals.theCustomerRefusedItWithout': 'the customer refused it, without a reason',
  'statement.originals.theBankRefusedItWithout': 'the bank refused it, without a reason',
  'statement.originals.theTextSaysWhy': 'the text says why',
  'statement.originals.theBanksCodeIsWrong': 'the bank’s code is wrong',
  'statement.originals.bankCodeOfTheCreditorIsWrong': 'the bank’s code of the creditor is wrong',
  'statement.originals.thePayersAccountOrName': 'the payer’s account or name is missing',
  'statement.originals.thePayersNameOrAddress': 'the payer’s name or address is missing',
  'statement.originals.theCreditorsNameOrAddress': 'the creditor’s name or address is missing',
  'statement.originals.theLawAsksForIt': 'the law asks for it',
  'statement.originals.thePayerAllowsOnlyCertain': 'the payer allows only certain creditors',
  'statement.originals.theServiceWasNotRendered': 'the service was not rendered',
  'statement.originals.aTechnicalFault': 'a technical fault',
  'statement.originals.itCameTooLate': 'it came too late',
  'statement.originals.thePaymentWasNotDue': 'the payment was not due',
  'statement.originals.thereIsNoSuchAccount': 'there is no such account, or not of that name',
  'statement.originals.accountNumberIsNotValid': 'the account number is not valid',
  'statement.originals.aDebitOfAConsumers': 'a debit of a consumer’s account that was not authorized',
  'statement.originals.sendersBankAskedForIt': 'the sender’s bank asked for it',
  'statement.originals.theCustomerRevokedTheAuthorization': 'the customer revoked the authorization',
  'statement.originals.theCustomerStoppedThePayment': 'the customer stopped the payment',
  'statement.originals.theMoneyWasNotCollected': 'the money was not collected yet',
  'statement.originals.theCustomerSaysThatIt': 'the customer says that it was not authorized',
  'statement.originals.notAsAuthorized': 'the customer says that it is not as authorized',
  'statement.originals.branchWasSoldToAnotherBank': 'the branch was sold to another bank',
  'statement.originals.receivingBankDoesNotTakePart': 'the receiving bank does not take part',
  'statement.originals.thePayeesRepresentativeHasDied': 'the payee’s representative has died',
  'statement.originals.theAccountHolderHasDied': 'the account holder has died',
  'statement.originals.theAccountIsFrozen': 'the account is frozen',
  'statement.originals.theFileHasFaults': 'the file has faults',
  'statement.originals.companysIdentificationIsNotValid': 'the company’s identification is not valid',
  'statement.originals.individualsIdIsNotValid': 'the individual’s id is not valid',
  'statement.originals.theReceiverRefusedTheCredit': 'the receiver refused the credit',
  'statement.originals.theCompanySaysThatIt': 'the company says that it was not authorized',
  'statement.originals.itMayBeReturned': 'it may be returned, as both banks agree',
  'statement.originals.bankMarksItAsAReturn': 'The bank marks it as a return or a reversal',
  'statement.originals.itsTextSays': 'Its text says {reason}',
  'statement.columnSigns.asTheTwoColumnsSay': 'as the two columns say; a minus means nothing',
  'statement.columnSigns.minusTurnsRoundWhatItsColumnSays': 'a minus turns round what its column says',
  'statement.columnSigns.aMinusIsMoneyOut': 'a minus is money out, whatever the column',
  'statement.columnSigns.minusIsMoneyInWhatever': 'a minus is money in, whatever the column',
  'statement.columnSigns.someAmountsHaveAMinus':
    'Some amounts have a minus in the column {places}, and nothing in the file decides whether each of them is money that came back. Say how they are meant.',
  'statement.columnSigns.aMinus': 'a minus',
  'statement.columnSigns.noMinusUnlikeMostOthers': 'no minus, unlike most others,',
  'statement.columnSigns.anAmount': 'An amount',
  'statement.columnSigns.inTheColumnAndRead':
    '{what} in the column {name} {has} {how} and {was} read as money {isIn, select, yes{in} other{out}}: {rows}. Check one of them.',
  'statement.overrules.rowWasNotRejected':
    'Row {row} was not rejected when the file was read this time, so it cannot be corrected. Look at the file again.',
  'statement.overrules.rowIsNoLine':
    'Row {row} is no line of the file as it was read this time, so nothing can be decided about it. Look at the file again.',
  'statement.overrules.rowWasCorrectedByHand': 'Row {row} was corrected by hand; the file says it otherwise.',
  'statement.pending.whatTheColumnSays':
    'What the column {name} says is not known to tell whether the bank has booked a row: {said}. All of them were read as booked; leave out what is not.',
  'statement.pending.itsOneLineIs': 'its one line is',
  'statement.pending.nothingIsBookedYetPending':
    'Nothing is booked yet: {what} pending. Import the file again when the bank has booked {count, plural, one{it} other{them}}.',
  'statement.pending.linesThatTheBank':
    '{count, plural, one{# line that the bank has not booked yet was} other{# lines that the bank has not booked yet were}} left out ({reasons}): {rows}. Import the next file for {count, plural, one{it: the bank lists it} other{them: the bank lists them}} again when booked.',
  'statement.pending.rowsMarkedAsPendingThatMirror': 'Rows marked as pending that mirror a booked row were left out: {mirrors}.',
  'statement.signs.oneSignedAmountColumn': 'one signed amount column',
  'statement.signs.oneSignedAmountColumnNegative': 'one signed amount column, negative is money in',
  'statement.signs.oneAmountColumn': 'one amount column, money in is marked with CR or a plus',
  'statement.signs.amountWithADirectionColumn': 'amount with a direction column',
  'statement.signs.directionColumnTurnedByMinus': 'amount with a direction column, a minus turns it round',
  'statement.signs.paidInPaidOutColumns': 'paid in / paid out columns',
  'statement.signs.twoColumnsTurnedByMinus': 'paid in / paid out columns, a minus turns them round',
  'statement.signs.debitCreditColumns': 'debit / credit columns',
  'statement.signs.onePaidInColumn': 'one paid in column',
  'statement.signs.onePaidOutColumn': 'one paid out column',
  'statement.signs.twoColumnsMinusIsOut': 'paid in / paid out columns, a minus is money out',
  'statement.signs.twoColumnsMinusIsIn': 'paid in / paid out columns, a minus is money in',
  'statement.truncatedRow.itHasCells': 'it has {width} cells where every other row has at least {width2}',
  'statement.truncatedRow.itsLastCell': 'its last cell is {cellOf}, and every other amount has decimals',
  'statement.truncatedRow.fileSeemsToBeCutOff':
    'The file seems to be cut off in row {row}, column {column}: nothing ends that row, {why}. Download the file again, or complete the row.',
  'statement.truncatedRow.blankRowsBetweenOrBelow':
    '{blanks, plural, one{# blank row between or below the transactions was} other{# blank rows between or below the transactions were}} left out.',
  'statement.truncatedRow.headerIsRepeatedAndWasLeft': 'The header is repeated and was left out there',
  'statement.truncatedRow.linesWithTotalsAreNoTransactions': 'Lines with totals are no transactions and were left out',
  'statement.truncatedRow.linesOfTextWithoutDate': 'Lines of text without date and amount were left out',
  'statement.truncatedRow.linesThatStateABalance': 'Lines that state a balance were read as balances, not as transactions',
  'statement.truncatedRow.rowsWithoutDateAndAmount':
    '{continued, plural, one{# row} other{# rows}} without date and amount continued the description of the row above.',
  'statement.truncatedRow.isInButLeaveTheRow':
    '{place} is in {currency}, but {words}. Leave the row out, or agree to import other currencies as well.',
  'statement.buildStatement.noAmountHasASign':
    'No amount has a sign and nothing says which way the money went; all were read as money in. Turn the signs round if they are payments.',
  'statement.buildStatement.mostAmountsArePositive':
    'Most amounts are positive, and nothing says whether they were received or, as on a card, spent; they were read as money in. Turn the signs round if they are purchases.',
  'statement.buildStatement.everyCreditIsNegative':
    'Every credit is negative and every debit positive; each amount was read by its word, a credit as money in. Turn the signs round if the file is that of a ledger.',
  'statement.buildStatement.paymentsAreNegativeAndPurchases':
    'Payments are negative and purchases positive, as on a card; purchases were read as money out. Check one of them, and turn the signs round if that is wrong.',
  'statement.buildStatement.columnHoldsFees':
    'The column {name} holds fees, and no balance says whether the amounts contain them; the amounts were read as they stand. Check a row with a fee.',
  'statement.buildStatement.balancesMoveByTheAmounts':
    'The balances move by the amounts and the fees in column {name} together, so each amount was read with its fee.',
  'statement.buildStatement.theDatesHaveNoYear':
    'The dates have no year; that of the days which row {row} states was taken{days}. Check one of them.',
  'statement.buildStatement.allDatesAreOfTheFirst': 'All dates are of the first twelve days of a month',
  'statement.buildStatement.someDatesAreTextsOfDays':
    'Some dates are texts of days above 12 alone, written {order}, and the others are dates of the first twelve days alone',
  'statement.buildStatement.spreadsheetTakesDaysForMonths':
    '{seen}: a spreadsheet takes days for months so. Its dates were {isTurned, select, yes{turned back} other{read as they stand}}{noBecause, select, yes{} other{, because {because}}}: {day} is {read}. Check one of them.',
  'statement.buildStatement.theDatesReadDayFirst':
    'The dates read {isOrder, select, yes{month first and day first} other{day first and month first}} alike; they were read {order}, because {assumedBecause}. Check one of them.',
  'statement.buildStatement.theDatesAreCheckOne': 'The dates are {form}. Check one of them.',
  'statement.buildStatement.balancesRiseWithWhatIsPaidOut':
    'The balances rise with what is paid out, as in the books of an account or with what is owed. They are kept with the sign of the lines: {stated} where the file says {stated2}.',
  'statement.buildStatement.eachOfTheColumnsHolds':
    'Each of the columns {columns} holds the amounts of one currency; a row is in that of the column which it fills.',
  'statement.buildStatement.eachRowStatesWhatWasSent':
    'Each row states what was sent ({sent}) and what was received ({otherPart}); what was sent was read. Check a row that came in from another currency.',
  'statement.buildStatement.amountsSayInBracketsWhatCame':
    'Amounts say in brackets what came back of them, which a row of its own states as well where the file holds one: they were read without what is in brackets, in {returns}. Check one of them.',
  'statement.buildStatement.nothingNamesTheColumnOfTheAmounts':
    'Nothing names the column of the amounts; {names} was read as it. Check one row, or say which column it is.',
  'statement.buildStatement.nothingNamesTheTwoAmount':
    'Nothing names the two amount columns; {paidIn} was read as money in and {paidOut} as money out. Check one row of each.',
  'statement.buildStatement.theirColumn': 'their column',
  'statement.buildStatement.rowsThatSayInThatThey':
    '{count, plural, one{# row that says in {column} that it waits was read as a line, as in a list of invoices: {kept}. Leave it out if a bank has not booked it} other{# rows that say in {column} that they wait were read as lines, as in a list of invoices: {kept}. Leave them out if a bank has not booked them}} yet.',
  'statement.buildStatement.rowHasCellsWhereTheTable':
    'Row {row} has {cells} cells where the table has {names} columns. Put quotation marks around the cell that holds the delimiter.',
  'statement.buildStatement.notACurrency': '{cell} in row {row}, column {column}, is not a currency. Write its three letters, such as EUR.',
  'statement.buildStatement.wasNeverBookedItSays': 'was never booked: it says {said}',
  'statement.buildStatement.isNotBookedYetIt': 'is not booked yet: it says {said}, and the bank lists it again when it is',
  'statement.buildStatement.rowCorrectTheRowToImport': 'Row {row} {what}. Correct the row to import it nevertheless.',
  'statement.buildStatement.theDateInIsEmpty': 'The date in {place}, is empty. Fill it in, or remove the row.',
  'statement.buildStatement.inIsADateWithout': '{cell} in {place}, is a date without a year. {mend}',
  'statement.buildStatement.theDateIn': 'The date {cell} in {place}, {compact} {mendDate}',
  'statement.buildStatement.inIsNotADate': '{cell} in {place}, is not a date. Write it like 2026-06-30.',
  'statement.buildStatement.isNotADateWhenRead': 'is not a date when read as the other rows are ({order}). Correct it in the file.',
  'statement.buildStatement.isNotOnTheCalendar': 'is not on the calendar of the years 1000 to 2199.',
  'statement.buildStatement.dateIsUnreadable': 'The date {cell} in {place}, {reason}',
  'statement.buildStatement.writeItLike20260630Or': 'Write it like 2026-06-30, or export the file with years.',
  'statement.buildStatement.correctItInTheFile': 'Correct it in the file, or take the row out.',
  'statement.buildStatement.formulaWithoutResult':
    '{cell} in {place}, is a formula whose result the file does not hold; formulas are not worked out. Open the file in a spreadsheet, save it and choose it again, or write the result there.',
  'statement.buildStatement.inIsTheError':
    '{cell} in {place}, is the error of a formula. Mend the formula in the spreadsheet and save the file, or write the result there.',
  'statement.buildStatement.rowHasAnAmountBoth':
    'Row {row} has an amount both in {names} ({paidIn}) and in {names2} ({paidOut}). Leave one of them empty.',
  'statement.buildStatement.rowHasTwoAmounts':
    'Row {row} has an amount both in {first} and in {second}. Leave one of them empty, or make two rows of it.',
  'statement.buildStatement.inSaysNeitherCreditNor': '{cell} in {place}, says neither credit nor debit. Write credit or debit.',
  'statement.buildStatement.amountInHasMoreDecimals':
    'The amount {cell} in {place}, has more decimals than are kept of {currency}, whose own are not known ({decimalPlacesOf}). Round it in the file, or leave the row out.',
  'statement.buildStatement.amountHasTooManyDecimals':
    'The amount {cell} in {place}, has more decimals than {currency} has ({decimalPlacesOf}). Correct it, or the currency.',
  'statement.buildStatement.amountInIsTooLarge': 'The amount {cell} in {place}, is too large to be kept exactly. Correct it in the file.',
  'statement.buildStatement.theAmountInIsEmpty': 'The amount in {place}, is empty. Fill it in, or remove the row.',
  'statement.buildStatement.inIsAnAmount':
    '{cell} in {place}, is an amount of {unit}, which is no currency that is known. Write a currency of three letters in a column of its own, or leave the row out.',
  'statement.buildStatement.inIsNotAnAmount': '{cell} in {place}, is not an amount. Write it with digits, such as {example}.',
  'statement.chooseSheet.theSheetCannotBeRead': 'The sheet {name} cannot be read. Save the workbook again, or choose another sheet.',
  'statement.chooseSheet.theSheetHasNoFilled': 'The sheet {name} has no filled cells. Choose the one with the statement.',
  'statement.chooseSheet.theWorkbookHasNoSheet': 'The workbook has no sheet {name}. Choose one of those it has: {sheets}.',
  'statement.chooseSheet.theWorkbookHasNoFilled': 'The workbook has no filled cells. Choose the one with the statement.',
  'statement.chooseSheet.theSheetWhichWasRead': 'The sheet {name}, which was read, is hidden in the workbook. Check that it is the one.',
  'statement.chooseSheet.theSheetWasReadHold':
    'The sheet {name} was read; {others} {others2, plural, one{holds transactions as well. Choose that sheet} other{hold transactions as well. Choose one of them}} to read it instead.',
  'statement.chooseSheet.theSheetsCannotBeRead':
    'The {damaged, plural, one{sheet {damaged2} cannot be read and was} other{sheets {damaged2} cannot be read and were}} left out. Open the workbook and save it again.',
  'statement.fileCurrencies.sayWhichCurrencyItIs': '{message} Say which currency it is.',
  'statement.fileCurrencies.nothingInTheFileNames': 'Nothing in the file names its currency.',
  'statement.fileCurrencies.fileSaysNotItsOwnCurrency':
    'The file says {main}, not {wished}; its own currency was taken. Check that this is the right file.',
  'statement.fileCurrencies.wasReadAsUsd': '$ was read as USD. If it is another dollar, say which.',
  'statement.fileCurrencies.rowsNameNoCurrency':
    '{unnamed, plural, one{# row names} other{# rows name}} no currency; the others are in {named}.',
  'statement.questions.noDayOfThePeriod': 'no day of the period',
  'statement.questions.theDatesCanBeRead': 'The dates can be read {choices}, and nothing in the file decides{such}. Say which is right.',
  'statement.questions.allDatesAreOfTheFirst':
    'All dates are of the first twelve days of a month, and day and month exchanged they come closer together',
  'statement.questions.someDatesAreTextsOfDays':
    'Some dates are texts of days above 12 alone, the others are dates of the first twelve days alone',
  'statement.questions.aSpreadsheetMayHaveTaken':
    '{seen}: a spreadsheet may have taken their days for months, and nothing in the file decides: {first} is {exchangedDay} or {first}. Say which is right.',
  'statement.questions.spreadsheetExchangedDayAndMonth': 'the spreadsheet exchanged day and month',
  'statement.questions.allWereWritten': 'all were written {order}, and the spreadsheet exchanged day and month',
  'statement.questions.datesAreRightAsTheyStand': 'the dates are right as they stand',
  'statement.questions.decimalsBehindAPoint': 'decimals behind a point',
  'statement.questions.decimalsBehindAComma': 'decimals behind a comma',
  'statement.questions.notAnAmount': 'not an amount',
  'statement.questions.theAmountsCanBeRead':
    'The amounts can be read as thousands or as decimals, and nothing in the file decides: {first} is {ways}. Say which is right.',
  'statement.questions.isMoneyInMoneyOut': '{name} is money in, {name2} money out',
  'statement.questions.nothingNamesTheTwoColumns':
    'Nothing names the two columns of amounts, {name} and {name2}, and nothing in the file decides which is money in. Say which it is.',
  'statement.questions.inRow': '{text} in row {row}',
  'statement.questions.fileMayBeThatOfACard':
    'The file may be that of a card, and nothing in it decides whether its purchases are the amounts without a minus. Say which amounts are money out.',
  'statement.questions.amountsWithoutAMinusAreMoneyOut': 'amounts without a minus are money out, as on many cards',
  'statement.questions.amountsWithAMinusAreMoneyOut': 'amounts with a minus are money out, as on an account',
  'statement.questions.theSignsOfThisFile': 'The signs of this file {mismatch}. Leave the signs out, or say them otherwise.',
  'statement.questions.theFileHasNoTransactions':
    'The file has no transactions{hasHeader, select, yes{ below the header in row {row}} other{}}. Choose another period and download it again.',
  'statement.questions.thisDoesNotLookLike':
    'This does not look like a statement: no row holds a date and an amount, and no header names them. Choose the CSV export of the account.',
  'statement.unknownDirections.isMoneyOut': '{text} is money {isWord, select, yes{in} other{out}}',
  'statement.unknownDirections.otherWhichTieoutDoesNot':
    '{direction, select, yes{The column {name} tells money in from money out, also by words} other{{hasMinus, select, yes{Hardly an} other{No}} amount has a sign, and the column {name} says words that may tell money in from money out,}} which Tieout does not know: {open}{beside}. Say which of them mean money out.',
  'statement.unknownDirections.moneyOut': 'money out',
  'statement.unknownDirections.noColumnOfThisFile':
    'No column of this file tells money in from money out by words. Leave out which words mean money out.',
  'statement.unknownDirections.noRowSaysInTheColumn': 'No row says {missing} in the column {name}, which says {words}. Say one of these.',
  'statement.valueDays.valueDatesInColumn':
    '{unread, plural, one{# value date} other{# value dates}} in column {column} cannot be read as a day; these lines have none, and what stands there is kept as text.',
  'statement.decode.fileIsEmpty': 'The file is empty (0 bytes). Download it again from the bank.',
  'statement.decode.fileIsLargerThanMb': 'The file is larger than {megabytes} MB. Split it by period and import the parts.',
  'statement.decode.fileHoldsNothingButBlankLines': 'The file holds nothing but blank lines. Download it again from the bank.',
  'statement.decode.theFileHoldsBinaryData': 'The file holds binary data, not text. Choose the CSV export of the statement.',
  'statement.decode.areNotTheFirstOfThem': '{lines} are not, the first of them line {firstLine}: they are',
  'statement.decode.someLinesOfTheFile':
    'Some lines of the file are UTF-8, but {others} read as {codePage}. Look at letters with accents; the figures do not depend on it.',
  'statement.decode.theFileIsNotValid':
    'The file is not valid UTF-8, so it was read as {encoding}. Look at letters with accents; the figures do not depend on it.',
  'statement.decode.aZipArchiveUnpackIt': 'a zip archive; unpack it and choose the statement inside',
  'statement.decode.anEmptyZipArchiveChoose': 'an empty zip archive; choose the CSV file itself',
  'statement.decode.pdfDocumentDownloadTheStatement': 'a PDF document; download the statement as CSV instead',
  'statement.decode.aGzipArchiveUnpackIt': 'a gzip archive; unpack it and choose the CSV file inside',
  'statement.decode.sqliteDatabaseExportItsTable': 'an SQLite database; export its table as CSV',
  'statement.decode.pngPictureChooseACsvFile': 'a PNG picture; choose a CSV file',
  'statement.decode.jpegPictureChooseACsvFile': 'a JPEG picture; choose a CSV file',
  'statement.decode.gifPictureChooseACsvFile': 'a GIF picture; choose a CSV file',
  'statement.decode.webPageHtmlTheDownload': 'a web page (HTML); the download may have ended on a sign-in page, so download the CSV again',
  'statement.decode.xmlDocumentThatIsNoCamtStatement':
    'an XML document that is no CAMT statement; download the statement as CAMT.053 or CSV',
  'statement.decode.rtfDocumentSaveTheTable': 'an RTF document; save the table as CSV',
  'statement.decode.jsonDocumentSaveTheTable': 'a JSON document; save the table as CSV',
  'statement.decode.thisIsNoStatement': 'This is no statement that can be read: it looks like {found}.',
  'statement.grid.rowHasCells': "Row {line} has {cells} cells; {columns} is the limit. Check the file's delimiter.",
  'statement.grid.aCellInRowColumn':
    'A cell in row {line}, column {long}, is longer than 1 MiB. Shorten it, or check the quotation marks there.',
  'statement.grid.aQuotationMarkInRow':
    'A quotation mark in row {row} is never closed; the row was read without quotation marks. Check it.',
  'statement.grid.thereIsANulCharacter':
    'There is a NUL character in row {row}, {unit} {column}, which no text has: the file was damaged on its way, or is no text. Download it again, or take the character out.',
  'statement.rowSplitter.aCellInRowColumn':
    'A cell in row {line}, column {column}, is longer than 1 MiB. Shorten it, or check the quotation marks there.',
  'statement.rowSplitter.rowIsLongerThanMib': "Row {line} is longer than {megabytes} MiB. Check the file's line ends.",
  'statement.workbook.thisIsABinaryWorkbook':
    'This is a binary workbook (XLSB), which is not read. Save it as an Excel workbook (XLSX) or as CSV and choose that file.',
  'statement.workbook.thePartOfTheWorkbook':
    'The part {name} of the workbook declares a document type, which no workbook needs; it was not read. Save the sheet as CSV and choose that file.',
  'statement.workbook.theWorkbookIsCutOff': 'The workbook is cut off or damaged. Download or save it again.',
  'statement.workbook.workbookIsProtectedByAPassword': 'The workbook is protected by a password. Save it without one and choose it again.',
  'statement.workbook.theWorkbookCannotBeRead': 'The workbook cannot be read ({reason}). Save the sheet as CSV and choose that file.',
  'statement.xml.xmlIsBrokenInLine': 'The XML is broken in line {row} ({reason}). Download the file again; it may be cut off.',
  'statement.xml.xmlIsNestedMoreThanDeep': 'The XML is nested more than {maxDepth} deep in line {row}; it was not read.',
  'statement.xml.noMarkBeginsWithButComments': 'no mark begins with <! but comments',
  'statement.xml.aCommentHasNoEnd': 'a comment has no end ({end})',
  'statement.xml.theXmlDeclaresADocument': 'The XML declares a document type in line {row}, which no statement needs; it was not read.',
  'statement.mt940.theEndOfTheMessage': 'the end ({mark}) of the message that begins in row {row}',
  'statement.ofx.itsEnd': 'its end ({mark})',
  'statement.buildStatement.noSuchDayIsNear':
    '{cell} in {place}, is a date without a year, and no such day is near those that row {row} states{hasDays, select, yes{ ({from} to {to})} other{}}. {mend}',
  'statement.read.yearNotUsed':
    'The year {year} that was given is not used: only a PDF is asked for it. The days are those that the file says.',
} as const;
