export * from './self-subject-review.ts';
export * from './token-request.ts';
export * from './token-review.ts';
export * from './user-info.ts';
