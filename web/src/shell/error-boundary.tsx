import { Component, type ReactNode } from 'react'
import * as t from '#locale/app'
import { Button } from '../ui/button.tsx'
import { releaseKeys } from './type-ahead.ts'

interface Props {
  children: ReactNode
}

/** Catches render errors. React supports error boundaries only as classes. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  /** No field will take the keys that are held for it. */
  override componentDidCatch() {
    releaseKeys()
  }

  override render() {
    if (!this.state.failed) return this.props.children
    // Most often a chunk of an older release that no longer exists on the server.
    return (
      <div className="centered" role="alert">
        <h1>{t.pageFailed}</h1>
        <p className="quiet">{t.pageFailedHelp}</p>
        <Button kind="primary" onClick={() => window.location.reload()}>
          {t.reload}
        </Button>
      </div>
    )
  }
}
