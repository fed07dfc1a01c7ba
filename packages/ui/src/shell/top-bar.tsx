import { detach } from '@coxswain/apimachinery/detach.ts';
import { client, facts } from '../cluster/cluster.ts';
import { limitTo, scope } from '../cluster/scope.ts';
import { Button } from '../controls/button.tsx';
import { Icon, type IconName } from '../design/icon.tsx';
import { theme, type Theme } from '../design/theme.ts';
import { inLanguages, language, speak } from '../language/language.ts';
import { go } from '../navigation/route.ts';
import { isHelpOpen } from './help.tsx';
import { isMenuOpen } from './sidebar/sidebar.tsx';
import { openPalette } from './palette/palette-state.ts';
import { nextTheme } from './shortcuts.ts';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const text = inLanguages(
  {
    search: 'Search objects, kinds and pages',
    theme: { system: 'Colours: system', light: 'Colours: light', dark: 'Colours: dark' },
    menu: 'Navigation',
    help: 'Keyboard help',
    create: 'Create objects',
    language: '切换到中文',
    other: '中',
    scoped: (namespace: string) => `Only namespace ${namespace}: show all namespaces`,
  },
  {
    search: '搜索对象、类型和页面',
    theme: { system: '配色：跟随系统', light: '配色：浅色', dark: '配色：深色' },
    menu: '导航',
    help: '键盘帮助',
    create: '创建对象',
    language: 'EN: switch to English',
    other: 'EN',
    scoped: (namespace: string) => `只显示命名空间 ${namespace}：改为显示所有命名空间`,
  },
);

const themeIcons: Readonly<Record<Theme, IconName>> = { system: 'screen', light: 'sun', dark: 'moon' };

const version = signal('');

export function TopBar() {
  useEffect(() => detach(readVersion()), []);
  return (
    <header class="top-bar">
      <div class="top-bar-cluster">
        <div class="menu-button">
          <Button
            kind="quiet"
            icon="menu"
            label={text().menu}
            onPress={() => (isMenuOpen.value = !isMenuOpen.value)}
          />
        </div>
        <span class="truncated">{facts.value.cluster}</span>
        {scope.value !== undefined && (
          <button
            type="button"
            class="top-bar-scope"
            title={text().scoped(scope.value)}
            aria-label={text().scoped(scope.value)}
            onClick={() => limitTo(undefined)}
          >
            <span class="truncated">{scope.value}</span>
            <Icon name="close" size={12} />
          </button>
        )}
        {version.value !== '' && <span class="top-bar-version">{version.value}</span>}
      </div>
      <button type="button" class="top-bar-search" onClick={() => openPalette('everything')}>
        <Icon name="search" size={14} />
        <span>{text().search}</span>
        <kbd>/</kbd>
      </button>
      <div class="top-bar-tools">
        <Button kind="quiet" icon="plus" label={text().create} onPress={() => go('/create')} />
        <button
          type="button"
          class="button"
          data-kind="quiet"
          data-square
          title={text().language}
          aria-label={text().language}
          onClick={() => speak(language.value === 'en' ? 'zh' : 'en')}
        >
          {text().other}
        </button>
        <Button
          kind="quiet"
          icon={themeIcons[theme.value]}
          label={text().theme[theme.value]}
          onPress={nextTheme}
        />
        <Button kind="quiet" icon="help" label={text().help} onPress={() => (isHelpOpen.value = true)} />
      </div>
    </header>
  );
}

async function readVersion(): Promise<void> {
  try {
    const { gitVersion } = await client.rest.request<{ gitVersion: string }>({
      verb: 'GET',
      path: '/version',
    });
    version.value = gitVersion;
  } catch {
    // The connection indicator reports the failure.
  }
}
