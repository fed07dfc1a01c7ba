export * from './admission-review.ts';
