// The product of any page, by what the page states for machines. A page that states none is an error, not an empty success.
import { z } from 'zod';
import { parse } from '../../extract/html/html.ts';
import { completeProduct } from '../../extract/product/product-draft.ts';
import { productIn } from '../../extract/product/product-structured.ts';
import { AppError } from '../../model/errors.ts';
import { ZipCode } from '../../model/product/zip.ts';
import { defineSource } from '../define.ts';

export const productPage = defineSource({
  name: 'product-page',
  title: 'Product of any web page',
  kind: 'product',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 2, delayMs: 0 },
  params: z.object({ url: z.url({ protocol: /^https?$/ }), zipcode: ZipCode.optional() }),
  async *scrape({ url, zipcode }, web) {
    const page = await web.get(url);
    const draft = productIn(parse(page.text), page.url);
    if (!draft) {
      const diagnosis = web.diagnose(page);
      if (diagnosis === 'layout_changed' || diagnosis === 'empty')
        throw new AppError('not_product', 'no product data on the page');
      throw new AppError(
        diagnosis === 'captcha' ? 'captcha' : diagnosis === 'soft_404' ? 'not_found' : 'blocked',
        diagnosis,
      );
    }
    const locality = { requested: zipcode ?? null, evidence: null };
    yield completeProduct(draft, {
      source: 'product-page',
      position: 1,
      scrapedAt: new Date().toISOString(),
      locality,
    });
  },
});
