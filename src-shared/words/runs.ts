export const runsWords = {
  'runs.run.of': '{near} of {matches}',
  'runs.run.pairsThatLieNear': 'pairs that lie near',
  'runs.run.asManyPairsAs': 'as many pairs as there can be',
  'runs.run.standInGroupsToo': '{share} stand in groups too large to be paired exactly: {pairs}, not surely the nearest ones.',
  'runs.run.theSearchForWas':
    'The search for {sought} was given up for {gaveUp, plural, one{# line} other{# lines}}: {missing} may be missing.',
  'runs.run.under1S': 'under 1 s',
  'runs.run.min': '{round} min',
  'runs.sharedCurrency.sideAIsIn':
    'Side A is in {a}, side B in {b}. Rules match lines of one currency only, unless they compare the currency themselves.',
} as const;
