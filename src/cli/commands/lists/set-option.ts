// `--set name=value`, given several times.
import { AppError } from '../../../model/errors.ts';

/** A board may have the name 1234, so digits are text; only true, false, null, {…} and […] are read as JSON, and everything after `:=`. */
export function collect(text: string, before: Record<string, unknown>): Record<string, unknown> {
  const [, name, isJson, value = ''] = /^(\w+)(:?)=(.*)$/s.exec(text) ?? [];
  if (!name) throw new AppError('invalid_usage', `--set needs name=value, not "${text}".`);
  if (!isJson && !/^(?:true|false|null|[{[].*)$/s.test(value)) return { ...before, [name]: value };
  try {
    return { ...before, [name]: JSON.parse(value) };
  } catch (error) {
    throw new AppError('invalid_usage', `--set ${name} is not valid JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
