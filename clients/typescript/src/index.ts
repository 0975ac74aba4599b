export { Perpwire } from './client.ts';
export { type ErrorCode, PerpwireError } from './errors.ts';
export type * from './generated.ts';
export type { Lake, LakeDataset, LakeParams, LakeRow } from './lake.ts';
export type { Answer, PerpwireOptions, RequestOptions, StreamOptions, StreamUpdate } from './request.ts';
