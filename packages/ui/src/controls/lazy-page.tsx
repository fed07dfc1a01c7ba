/** Pages are loaded on first use; one that fails to load leaves the others usable. */

import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failed, Loading } from './notice.tsx';

type Loaded<P> = Promise<{ readonly default: ComponentType<P> }>;

/** After `preload`, the first rendering needs no wait. */
export type LazyComponent<P> = ComponentType<P> & { readonly preload: () => Promise<void> };

export function lazy<P extends object = object>(load: () => Loaded<P>): LazyComponent<P> {
  let loaded: ComponentType<P> | undefined;
  const preload = async (): Promise<void> => {
    loaded = (await load()).default;
  };
  function LazyPage(props: P) {
    const [Page, setPage] = useState<{ readonly component: ComponentType<P> } | undefined>(
      loaded && { component: loaded },
    );
    const [failure, setFailure] = useState<unknown>(undefined);
    useEffect(() => {
      if (loaded === undefined) preload().then(() => setPage({ component: loaded! }), setFailure);
    }, []);
    if (failure !== undefined) return <Failed failure={failure} />;
    return Page === undefined ? <Loading /> : <Page.component {...props} />;
  }
  return Object.assign(LazyPage, { preload });
}

interface BoundaryState {
  readonly failure?: unknown;
}

export class ErrorBoundary extends Component<{ readonly children: ComponentChildren }, BoundaryState> {
  override state: BoundaryState = {};

  static override getDerivedStateFromError(failure: unknown): BoundaryState {
    return { failure };
  }

  override render() {
    return this.state.failure === undefined ? this.props.children : <Failed failure={this.state.failure} />;
  }
}
