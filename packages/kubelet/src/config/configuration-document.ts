import { formatDurationMs } from '@coxswain/apimachinery';
import { configurationVersion, settingTable, type KubeletSettings } from './kubelet-configuration.ts';
import type { SettingKind } from './setting-kinds.ts';

/** The settings as their file has them: what a kubelet goes by, for `/configz`. */
export const configurationDocument = (settings: KubeletSettings): object => ({
  kind: 'KubeletConfiguration',
  apiVersion: configurationVersion,
  ...written(settings, settingTable),
});

type Kinds = Readonly<Record<string, SettingKind<unknown>>>;

/** Durations are numbers here and text there; groups of settings have their durations, too. */
function written(values: Readonly<Record<string, unknown>>, kinds: Kinds): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { isDuration, table } = kinds[name] ?? {};
      if (isDuration) return [name, formatDurationMs(value as number)];
      if (table !== undefined) return [name, written(value as Readonly<Record<string, unknown>>, table)];
      return [name, value];
    }),
  );
}
