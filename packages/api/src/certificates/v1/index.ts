export * from './certificate-signing-request-spec.ts';
export * from './certificate-signing-request.ts';
