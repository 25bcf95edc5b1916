// What `import … from 'windrow/client'` gives.
export { type Client, createClient } from './client.ts';
export { ApiError, type FieldProblem } from './errors.ts';
export type { FollowOptions, RunState } from './follow.ts';
export type { ListName, Row } from './items.ts';
export type { ConnectionOptions } from './request.ts';
export type { Schemas } from './routes.generated.ts';
export type { Body, Query, Reply, RequestOptions, RouteName } from './routes.ts';
