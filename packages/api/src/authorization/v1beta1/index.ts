export * from './local-subject-access-review.ts';
export * from './non-resource-attributes.ts';
export * from './resource-attributes.ts';
export * from './self-subject-access-review.ts';
export * from './self-subject-rules-review.ts';
export * from './subject-access-review.ts';
export * from './subject-access-review-spec.ts';
export * from './subject-access-review-status.ts';
