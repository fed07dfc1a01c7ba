export * from './api-service-spec.ts';
export * from './api-service.ts';
