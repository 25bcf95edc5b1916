import { expect, test } from 'vitest';
import { cleanName } from './author-name.ts';

test.each([
  ['By Quentin Fairweather, 22 October 2025', 'Quentin Fairweather'],
  ['By Quentin Fairweather on 3rd of May 2024', 'Quentin Fairweather'],
  ['Por Marta Ruiz, 7 de mayo de 2025', 'Marta Ruiz'],
  ['Par Jean Dupont, 1er août 2025', 'Jean Dupont'],
  ['By Quentin Fairweather, October 22, 2025', 'Quentin Fairweather'],
  ['By Ada Example and Ben Sample', 'Ada Example and Ben Sample'],
])('of "%s" the name is left, without the date', (line, name) => {
  expect(cleanName(line)).toBe(name);
});
