import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'

interface Props {
  children: ReactNode
}

/** Catches render errors. React supports error boundaries only as classes. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    // Most often a chunk of an older release that no longer exists on the server.
    return (
      <div className="alone" role="alert">
        <h1>This page could not be shown</h1>
        <p className="quiet">
          Factotum may have been updated since you opened it. Reloading brings the current version.
        </p>
        <Button kind="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
    )
  }
}
