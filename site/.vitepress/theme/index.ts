/** VitePress's own theme in the project's colors, with a live cluster on the front page. */

import { useData, type Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { defineComponent, h, onMounted, watch } from 'vue';
import './site.css';

interface HomePage {
  readonly layout?: string;
  /** The attributes of its `<coxswain-cluster>`. */
  readonly cluster?: Readonly<Record<string, string>>;
}

const Layout = defineComponent(() => {
  const { frontmatter } = useData<HomePage>();
  /** VitePress gives a front page no main part, which readers of the screen skip to. */
  const nameMain = () => {
    const content = document.querySelector('#VPContent');
    if (frontmatter.value.layout === 'home') content?.setAttribute('role', 'main');
    else content?.removeAttribute('role');
  };
  onMounted(nameMain);
  watch(() => frontmatter.value.layout, nameMain, { flush: 'post' });
  const cluster = () =>
    frontmatter.value.cluster &&
    h('div', { class: 'home-cluster' }, h('coxswain-cluster', frontmatter.value.cluster));
  return () => h(DefaultTheme.Layout, null, { 'home-hero-after': cluster });
});

export default { extends: DefaultTheme, Layout } satisfies Theme;
