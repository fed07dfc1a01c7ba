export * from './certificate-signing-request.ts';
export * from './cluster-trust-bundle.ts';
export * from './pod-certificate-request.ts';
