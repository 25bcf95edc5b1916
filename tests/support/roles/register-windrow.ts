// For `node --import`: `windrow/sources` and the other entries of the package are those of this repository, as they are for the modules that Windrow loads.
import { registerEntries } from '../../../src/source-modules/resolve-hook.ts';

registerEntries();
