export * from './field-error.ts';
export * from './kind.ts';
export * from './meta.ts';
export * from './type.ts';
