import { type ReactNode, use, useEffect } from 'react'
import * as t from '#locale/auth'
import { language } from '#locale/language'
import { useServices, useStore } from '../../api/context.tsx'
import { LANGUAGES, type Language, switchLanguage } from '../../locales/languages.ts'
import { FirstPageContext } from '../../shell/first-page.ts'
import { Logo } from '../../shell/logo.tsx'
import './auth-page.css'

/** The names are written in their own language, so that everybody finds theirs. */
const LanguageSwitch = () => (
  <nav className="auth-languages" aria-label={t.language}>
    {Object.entries(LANGUAGES).map(([code, name]) => (
      <button
        key={code}
        type="button"
        className="link-button"
        lang={code}
        aria-pressed={code === language}
        onClick={() => {
          if (code !== language) switchLanguage(code as Language)
        }}
      >
        {name}
      </button>
    ))}
  </nav>
)

interface AuthPageProps {
  title: string
  about?: ReactNode
  below?: ReactNode
  children: ReactNode
}

/** Page layout for signed-out users, without the frame. */
export const AuthPage = ({ title, about, below, children }: AuthPageProps) => {
  const first = use(FirstPageContext)
  // Above a page with unsaved input, which a reload would discard.
  const isOverlay = useStore(useServices().needsReauthentication)
  useEffect(() => {
    first.current = false
  }, [first])
  useEffect(() => {
    document.title = `${title} · Factotum`
  }, [title])
  return (
    <main className="auth">
      <div className="auth-brand">
        <Logo size={36} />
        <span>Factotum</span>
      </div>
      <div className="card auth-card">
        <header>
          <h1>{title}</h1>
          {about !== undefined && <p className="quiet">{about}</p>}
        </header>
        {children}
      </div>
      {below !== undefined && <p className="auth-below">{below}</p>}
      {!isOverlay && <LanguageSwitch />}
    </main>
  )
}
