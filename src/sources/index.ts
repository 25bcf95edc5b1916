// What the package offers as `windrow/sources`: everything needed to write a source, inside this repository or outside of it. It loads no source.
//   import { defineSource, toPosting, z } from 'windrow/sources';
// What a reader would get wrong: a module that Windrow loads gets this very module, wherever it lies and whatever it has installed itself
// (source-modules/resolve-hook.ts), so that an error thrown here is known by its class there.
export { z } from 'zod';
export {
  all as selectAll,
  attr as attributeOf,
  type Document,
  type Element,
  one as selectOne,
  parse as parseHtml,
  text as textOf,
} from '../extract/html/html.ts';
export { completeProduct, linkOf, type ProductDraft } from '../extract/product/product-draft.ts';
export { productIn } from '../extract/product/product-structured.ts';
export { AppError as WindrowError, type ErrorCode } from '../model/errors.ts';
export type { Article } from '../model/item/article.ts';
export type { Item, ItemOf, Kind } from '../model/item/item.ts';
export { type Posting, type PostingDraft, toPosting } from '../model/posting/posting.ts';
export type { Money } from '../model/product/money.ts';
export type { Product } from '../model/product/product.ts';
export { type Origins, withOrigins } from '../model/provenance/origins.ts';
export { canonicalUrl } from '../model/url.ts';
export type { Diagnosis, PageOptions, Web, WebPolicy, WebRequest, WebResponse } from '../web/port.ts';
export { BoardParams, warnIgnored } from './boards/params.ts';
export { readJsonPage, whyNoRows } from './boards/read.ts';
export { openSearch } from './boards/search.ts';
export { defineSource, type Notes, type Source } from './define.ts';
export { defineConfig, type WindrowConfig } from './define-config.ts';
export type { Advert, PaySaid, PlaceSaid } from './postings/advert.ts';
export { DOCUMENTED_API, getJson, PLAIN_HTTP } from './postings/fetch.ts';
export { jobPostingAdvert, jobPostingsIn } from './postings/job-posting.ts';
export { type DetailRequest, type Listing, openListing, type RowReader } from './postings/listing.ts';
export { COMMON_PARAMS } from './postings/params.ts';
export { HOST_LABEL, idIn } from './postings/text.ts';
export { advertToPosting } from './postings/to-posting.ts';
export { cartParams, shopParams } from './shopping/cart-params.ts';
export { shopMoney } from './shopping/shop-money.ts';
