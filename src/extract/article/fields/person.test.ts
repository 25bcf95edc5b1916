import { expect, test } from 'vitest';
import { looksLikePerson } from './person.ts';

test.each(['Ada Example', 'Ludwig van der Rohe', 'Dr. Marta Ruiz', 'José de la Cruz', 'J. R. Sample'])(
  '%s can be a person',
  (name) => expect(looksLikePerson(name)).toBe(true),
);

test.each(['Ada', 'Editorial Team', 'Sign In', 'Nutrition Guide', 'ada example', 'Key Takeaways', 'Ada Example 7'])(
  '%s is none',
  (text) => expect(looksLikePerson(text)).toBe(false),
);
