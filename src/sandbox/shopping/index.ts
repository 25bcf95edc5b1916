// The shops of the pretend web.
import type { Replica } from '../replica.ts';
import { google } from './google.ts';

export const SHOPS: readonly Replica[] = [google];
