import { type ReactNode, use, useEffect } from 'react'
import { FirstPageContext } from '../../shell/first-page.ts'
import { Logo } from '../../shell/logo.tsx'
import './auth-page.css'

interface AuthPageProps {
  title: string
  about?: ReactNode
  below?: ReactNode
  children: ReactNode
}

/** Page layout for signed-out users, without the frame. */
export const AuthPage = ({ title, about, below, children }: AuthPageProps) => {
  const first = use(FirstPageContext)
  useEffect(() => {
    first.current = false
  }, [first])
  useEffect(() => {
    document.title = `${title} · Factotum`
  }, [title])
  return (
    <main className="door">
      <div className="door-brand">
        <Logo size={36} />
        <span>Factotum</span>
      </div>
      <div className="card door-card">
        <header>
          <h1>{title}</h1>
          {about !== undefined && <p className="quiet">{about}</p>}
        </header>
        {children}
      </div>
      {below !== undefined && <p className="door-below">{below}</p>}
    </main>
  )
}
