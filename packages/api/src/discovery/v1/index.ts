export * from './endpoint-slice.ts';
export * from './endpoint.ts';
