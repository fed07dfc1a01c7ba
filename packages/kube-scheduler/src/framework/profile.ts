import type { QueuedPod } from './queued-pod.ts';
import type { AnyPlugin, Plugin } from './plugin.ts';

/** The extension points of a profile that plugins can be switched on and off at. */
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

/** A plugin as the framework calls it: it keeps the states apart by plugin, so any will do. */
export type UntypedPlugin = Plugin<unknown, unknown>;

/** A scheduler by its name: the plugins of each extension point, in the order in which they are called. */
export interface Profile {
  readonly schedulerName: string;
  /** 0 lets the number of nodes decide. */
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

/** Every plugin of the profile, once. */
export const pluginsOf = ({ points }: Profile): ReadonlyMap<string, UntypedPlugin> =>
  new Map(extensionPoints.flatMap((point) => points[point].map((plugin) => [plugin.name, plugin] as const)));

export const compareIn = ({ points }: Profile, a: QueuedPod, b: QueuedPod): number =>
  points.queueSort[0]?.queueSort?.(a, b) ?? a.queuedMs - b.queuedMs;
