export { directNft } from './direct-nft.ts';
export { runCommand } from './run-command.ts';
export { nftBy, runNft, whyNoNftables, type RunNft } from './run-nft.ts';
