import * as fc from 'fast-check';

/** Every property draws from this seed unless `TIEOUT_SEED` names another one, so that a commit passes or fails the same way wherever it is checked. */
const FIXED = 20_261_127;

const asked = process.env['TIEOUT_SEED'];
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: asked === 'random' ? Date.now() : Number(asked ?? FIXED) });
