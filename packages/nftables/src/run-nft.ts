import { runCommand } from './run-command.ts';

/** Runs `nft` with arguments and input and returns its output. @throws Error with its error message */
export type RunNft = (args: readonly string[], input: string) => Promise<string>;

/**
 * The command in front of the arguments: `['ip', 'netns', 'exec', 'a', 'nft']` for the packet filter of another
 * network.
 */
export const nftBy =
  ([program = 'nft', ...first]: readonly string[]): RunNft =>
  (args, input) =>
    runCommand(program, [...first, ...args], input);

export const runNft: RunNft = nftBy(['nft']);

/** The reason why packets cannot be filtered here; undefined if they can. */
export const whyNoNftables = (run: RunNft = runNft): Promise<string | undefined> =>
  run(['list', 'tables'], '').then(
    () => undefined,
    (error: Error) => error.message,
  );
