export * from './csi-storage-capacity.ts';
export * from './volume-attachment.ts';
export * from './volume-attributes-class.ts';
