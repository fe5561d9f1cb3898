import { ChevronRight, Search } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Page } from '../../shell/page.tsx'
import { type FoundSetting, findSettings } from './search.ts'
import './overview.css'
import { SECTIONS } from './sections.ts'

const Tiles = () => (
  <ul className="settings-tiles">
    {SECTIONS.map(({ path, label, about, icon: Icon }) => (
      <li key={path}>
        <Link href={`/settings/${path}`} className="card settings-tile">
          <span className="row-icon">
            <Icon size={20} aria-hidden="true" />
          </span>
          <span className="row-main">
            <span className="row-title">{label}</span>
            <span className="quiet small">{about}</span>
          </span>
          <ChevronRight size={18} aria-hidden="true" />
        </Link>
      </li>
    ))}
  </ul>
)

const Results = ({ query, results }: { query: string; results: readonly FoundSetting[] }) => (
  <>
    <p className="only-heard" role="status">
      {results.length} found
    </p>
    {results.length === 0 ? (
      <p className="quiet">No setting goes by “{query.trim()}”.</p>
    ) : (
      <ul className="settings-tiles">
        {results.map(({ href, label, within }) => (
          <li key={href}>
            <Link href={href} className="card settings-tile">
              <span className="row-main">
                <span className="row-title">{label}</span>
                <span className="quiet small">{within}</span>
              </span>
              <ChevronRight size={18} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    )}
  </>
)

export const Overview = () => {
  const field = useRef<HTMLInputElement>(null)
  const [, navigate] = useLocation()
  const [query, setQuery] = useState('')
  const isSearching = query.trim() !== ''
  const results = isSearching ? findSettings(query) : []

  // The search shortcut navigates here and requests the focus.
  useEffect(() => {
    if ((window.history.state as { focus?: unknown } | null)?.focus === 'search') field.current?.focus()
  }, [])

  const goToFirst = (event: FormEvent) => {
    event.preventDefault()
    const [first] = results
    if (first) navigate(first.href)
  }
  return (
    <Page title="Settings" about="For you and your account.">
      <search>
        <form className="settings-search" onSubmit={goToFirst}>
          <Search size={18} aria-hidden="true" />
          <input
            ref={field}
            className="input"
            type="search"
            aria-label="Search the settings"
            placeholder="Search the settings"
            autoComplete="off"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
          <kbd>/</kbd>
        </form>
      </search>
      {isSearching ? <Results query={query} results={results} /> : <Tiles />}
    </Page>
  )
}
