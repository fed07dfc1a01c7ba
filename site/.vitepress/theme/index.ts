/** VitePress's own theme in the project's colors, with a live cluster on the front page. */

import { useData, type Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { defineComponent, h } from 'vue';
import './site.css';

/** `cluster` in the front matter of a page whose layout is `home`: the attributes of its `<coxswain-cluster>`. */
const HomeCluster = defineComponent(() => {
  const { frontmatter } = useData<{ readonly cluster?: Readonly<Record<string, string>> }>();
  return () =>
    frontmatter.value.cluster &&
    h('div', { class: 'home-cluster' }, h('coxswain-cluster', frontmatter.value.cluster));
});

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-after': () => h(HomeCluster) }),
} satisfies Theme;
