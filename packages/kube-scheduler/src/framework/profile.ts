import type { QueuedPod } from './queued-pod.ts';
import type { AnyPlugin, Plugin } from './plugin.ts';

/** The extension points of a profile at which plugins can be enabled and disabled. */
export type ExtensionPoint =
  | 'preEnqueue'
  | 'queueSort'
  | 'preFilter'
  | 'filter'
  | 'postFilter'
  | 'preScore'
  | 'score'
  | 'reserve'
  | 'permit'
  | 'preBind'
  | 'bind'
  | 'postBind';

/** A plugin as the framework calls it: states are stored per plugin, so their type doesn't matter. */
export type UntypedPlugin = Plugin<unknown, unknown>;

/** A scheduler profile: its name, and the plugins of each extension point in the order of their calls. */
export interface Profile {
  readonly schedulerName: string;
  /** 0 derives the percentage from the number of nodes. */
  readonly percentageOfNodesToScore: number;
  readonly points: Readonly<Record<ExtensionPoint, readonly UntypedPlugin[]>>;
  readonly weights: ReadonlyMap<string, number>;
}

export const extensionPoints: readonly ExtensionPoint[] = [
  'preEnqueue',
  'queueSort',
  'preFilter',
  'filter',
  'postFilter',
  'preScore',
  'score',
  'reserve',
  'permit',
  'preBind',
  'bind',
  'postBind',
];

export const untyped = (plugin: AnyPlugin): UntypedPlugin => plugin as unknown as UntypedPlugin;

export const hasPoint = (plugin: AnyPlugin, point: ExtensionPoint): boolean =>
  untyped(plugin)[point] !== undefined;

/** Returns every plugin of the profile once. */
export const pluginsOf = ({ points }: Profile): ReadonlyMap<string, UntypedPlugin> =>
  new Map(extensionPoints.flatMap((point) => points[point].map((plugin) => [plugin.name, plugin] as const)));

export const compareIn = ({ points }: Profile, a: QueuedPod, b: QueuedPod): number =>
  points.queueSort[0]?.queueSort?.(a, b) ?? a.queuedMs - b.queuedMs;
