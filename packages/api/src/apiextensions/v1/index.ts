export * from './conversion-review.ts';
export * from './custom-resource-definition.ts';
export * from './custom-resource-definition-spec.ts';
export * from './external-documentation.ts';
export * from './json-schema-props.ts';
export * from './validation-rule.ts';
