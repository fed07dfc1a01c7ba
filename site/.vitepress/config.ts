/** How `docs/` becomes a site. The pages that are rendered are gathered by `scripts/site/build-site.ts`. */

import path from 'node:path';
import { defineConfig } from 'vitepress';
import { menusOf, pages } from './menus.ts';

const out = process.env.SITE_OUT ?? path.join(import.meta.dirname, '../../dist/site/html');

const base = process.env.SITE_BASE ?? '/';

const searchInChinese = {
  button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
  modal: {
    noResultsText: '没有结果：',
    resetButtonTitle: '清除',
    footer: { selectText: '打开', navigateText: '移动', closeText: '关闭' },
  },
};

export default defineConfig({
  srcDir: pages,
  outDir: out,
  cacheDir: path.join(out, '../cache'),
  // Works below any path, and from a directory that `coxswain docs` serves.
  base,
  title: 'Coxswain',
  description: 'Kubernetes, in TypeScript',
  head: [
    ['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }],
    ['script', { type: 'module', src: `${base}live/element.js` }],
  ],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'coxswain-cluster' } } },
  cleanUrls: false,
  lastUpdated: false,
  // Those without high contrast cannot be read by everybody on the ground of a block of code.
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config({ renderer: { rules } }) {
      // Indented code looks and scrolls like fenced code.
      rules.code_block = (...token) => rules.fence!(...token);
    },
  },
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local', options: { locales: { zh: { translations: searchInChinese } } } },
  },
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: menusOf('en') },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      description: '用 TypeScript 写成的 Kubernetes',
      themeConfig: {
        ...menusOf('zh'),
        docFooter: { prev: '上一页', next: '下一页' },
        outline: { label: '本页内容' },
        darkModeSwitchLabel: '外观',
        sidebarMenuLabel: '目录',
        returnToTopLabel: '回到顶部',
        langMenuLabel: '切换语言',
        skipToContentLabel: '跳到正文',
      },
    },
  },
});
