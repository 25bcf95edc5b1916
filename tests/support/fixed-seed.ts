// Property tests draw the same cases in every run, so that none fails by chance. `PROPERTY_SEED=7 npm test -- --project unit` draws others; a failure
// names its seed.
import { configureGlobal } from 'fast-check';

configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_115) });
