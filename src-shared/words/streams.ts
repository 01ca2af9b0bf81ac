export const streamsWords = {
  'streams.account.andMore': '{names} and {more} more',
  'streams.account.stream': 'stream',
  'streams.account.streams': 'streams',
  'streams.account.is': 'is',
  'streams.account.are': 'are',
  'streams.account.its': 'Its',
  'streams.account.their': 'Their',
  'streams.account.theLinkedToIt': 'The {stream} {named} {is} linked to it. {its} records stay.',
  'streams.account.balancesThatStatementsState':
    '{stated, plural, one{# balance} other{# balances}} that statements state {stated, plural, one{stays} other{stay}} with the imports, and {stated, plural, one{shows} other{show}} where their stream is linked.',
  'streams.account.balancesGivenByHand': '{given, plural, one{# balance} other{# balances}} given by hand or by a program {goes} with it.',
  'streams.account.noNamedCurrency': 'no named currency',
  'streams.account.balancesGivenByHandOr':
    '{given, plural, one{# balance} other{# balances}} given by hand or by a program {given, plural, one{is} other{are}} then taken to be in {after}.',
  'streams.account.hasDecimalsWhereHas':
    '{to} has {decimalPlaces, plural, one{# decimal} other{# decimals}} where {from} has {decimalPlaces2}: their decimal point moves.',
  'streams.account.ofTheBalancesThat': 'Of the balances that statements state, those in {after} alone are shown.',
  'streams.dayWords.covered': 'Covered',
  'streams.dayWords.overlap': 'By several files',
  'streams.dayWords.quiet': 'Nothing happened',
  'streams.dayWords.weekend': 'Weekend, nothing missing',
  'streams.dayWords.unknown': 'Not covered',
  'streams.dayWords.missing': 'Missing',
  'streams.dayWords.outside': 'Before or after the statements',
  'streams.coverage.aStatementIsMissing':
    '{when}: a statement is missing. Over these days the balance changes by {money}: import the statement of these days.',
  'streams.coverage.noStatementButThe': '{when}: no statement, but the balances before and after agree, so nothing is missing.',
  'streams.coverage.noStatementAndNo': '{when}: no statement, and no working day.',
  'streams.coverage.noStatementTheFiles': '{when}: no statement. The files do not say whether anything happened: check with the bank.',
  'streams.coverage.opensWithButCloses':
    '{date}: {names} opens with {money}, but {names2} closes with {money2}. The balance differs by {money3}: look for a missing or changed statement.',
  'streams.coverage.speakOfTheSame': '{dateRange}: {files} speak of the same days. Lines that both have were imported once.',
  'streams.coverage.import': 'import {batchId}',
  'streams.proofLabels.proved': 'Proved',
  'streams.proofLabels.unproved': 'Unproved',
  'streams.proofLabels.broken': 'Broken',
  'streams.proofMeanings.proved': 'The file’s own balances agree with its lines, and only one way of reading it makes them agree.',
  'streams.proofMeanings.unproved':
    'The file has no balances that could confirm its lines. Nothing is known to be wrong; compare the totals with the original.',
  'streams.proofMeanings.broken':
    'The file’s own figures do not agree with its lines, or its end is missing. A line may be missing, doubled or misread.',
  'streams.proofs.openingBalancePlusIn': 'Opening balance {money} plus {money2} in minus {money3} out',
  'streams.proofs.isTheClosingBalance': '{sum} is the closing balance {money}',
  'streams.proofs.butTheBalancesBetween': '{end}, but the balances between do not follow from the lines.',
  'streams.proofs.isButTheFile': '{sum} is {money}, but the file says {money2}: {money3} apart.',
} as const;
