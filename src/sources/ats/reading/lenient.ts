// Fields of a vendor's row that a posting can do without. What is of another type than it should be counts as missing, so that one odd field costs
// itself and neither its row nor the board.
import { z } from 'zod';

const isListed = <T>(of: z.ZodType<T>) =>
  z.array(z.unknown()).transform((entries) =>
    entries.flatMap((entry) => {
      const parsed = of.safeParse(entry);
      return parsed.success ? [parsed.data] : [];
    }),
  );

export const lenient = {
  text: z.string().nullish().catch(null),
  number: z.number().nullish().catch(null),
  /** Amounts come as numbers and as texts. */
  amount: z.union([z.number(), z.string()]).nullish().catch(null),
  flag: z.boolean().nullish().catch(null),
  /** The entries that can be read; none for what is no list. */
  list: <T>(of: z.ZodType<T>) => isListed(of).nullish().catch(null),
  /** An object whose own fields are lenient. */
  part: <S extends z.ZodRawShape>(shape: S) => z.object(shape).nullish().catch(null),
};

/** What names a row: never lenient. */
export const rowId = z.union([z.string().min(1), z.number()]);
