import { ChevronRight, Search } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import * as t from '#locale/settings'
import * as common from '#locale/shared-texts'
import { Page } from '../../shell/page.tsx'
import { type FoundSetting, findSettings } from './search.ts'
import './overview.css'
import { type Group, needsHeading } from './sections.ts'
import { StorageNotice } from './storage/storage-card.tsx'
import { useSettingsGroups } from './use-settings-groups.ts'

interface EntryProps {
  href: string
  icon?: ReactNode
  label: string
  about: string
}

const Entry = ({ href, icon, label, about }: EntryProps) => (
  <li>
    <Link href={href} className="settings-entry">
      {icon !== undefined && <span className="row-icon">{icon}</span>}
      <span className="row-main">
        <span className="row-title">{label}</span>
        <span className="quiet small">{about}</span>
      </span>
      <ChevronRight size={18} aria-hidden="true" />
    </Link>
  </li>
)

const GroupCard = ({ label, sections }: Group) => (
  <div className="card settings-group">
    <h2 className={needsHeading({ label, sections }) ? undefined : 'visually-hidden'}>{label}</h2>
    <ul>
      {sections.map(({ path, label: name, about, icon: Icon }) => (
        <Entry
          key={path}
          href={`/settings/${path}`}
          icon={<Icon size={18} aria-hidden="true" />}
          label={name}
          about={about}
        />
      ))}
    </ul>
  </div>
)

const Results = ({ query, results }: { query: string; results: readonly FoundSetting[] }) => (
  <>
    <p className="visually-hidden" role="status">
      {t.resultsFound(results.length)}
    </p>
    {results.length === 0 ? (
      <p className="quiet">{t.noResults(query.trim())}</p>
    ) : (
      <div className="card settings-group">
        <ul>
          {results.map(({ href, label, within }) => (
            <Entry key={href} href={href} label={label} about={within} />
          ))}
        </ul>
      </div>
    )}
  </>
)

export const Overview = () => {
  const field = useRef<HTMLInputElement>(null)
  const [, navigate] = useLocation()
  const [query, setQuery] = useState('')
  const groups = useSettingsGroups()
  const isSearching = query.trim() !== ''
  const results = isSearching ? findSettings(query, groups) : []

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
    <Page title={common.settings}>
      <search>
        <form className="settings-search" onSubmit={goToFirst}>
          <Search size={18} aria-hidden="true" />
          <input
            ref={field}
            className="input"
            type="search"
            aria-label={t.searchSettings}
            placeholder={t.searchSettings}
            autoComplete="off"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
          <kbd>/</kbd>
        </form>
      </search>
      {isSearching ? (
        <Results query={query} results={results} />
      ) : (
        <>
          <StorageNotice />
          <div className="settings-groups">
            {groups.map((group) => (
              <GroupCard key={group.name} {...group} />
            ))}
          </div>
        </>
      )}
    </Page>
  )
}
