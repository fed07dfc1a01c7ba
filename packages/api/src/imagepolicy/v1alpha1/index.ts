export * from './image-review.ts';
