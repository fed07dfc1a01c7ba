export * from './self-subject-review.ts';
export * from './token-review.ts';
