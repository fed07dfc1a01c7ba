export * from './nftables/nft-table.ts';
export * from './start-network-policies.ts';
