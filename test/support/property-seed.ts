import * as fc from 'fast-check';

/** The seed of every property, so that a commit passes or fails alike everywhere. `TIEOUT_SEED` overrides it. */
const FIXED = 20_261_127;

const asked = process.env['TIEOUT_SEED'];
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: asked === 'random' ? Date.now() : Number(asked ?? FIXED) });
