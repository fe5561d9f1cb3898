import { Handshake } from 'lucide-react'
import { useLocation, useSearch } from 'wouter'
import * as t from '#locale/promises'
import { type CommitmentFilter, useCommitmentList } from '../../api/commitments.ts'
import { Page } from '../../shell/page.tsx'
import { LoadedList } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'
import { PromiseRow } from './promise-row.tsx'
import '../../ui/style/segments.css'
import './promises.css'

const FILTERS = {
  mine: { direction: 'mine', status: 'open' },
  theirs: { direction: 'theirs', status: 'open' },
  done: { status: 'done' },
} as const satisfies Record<string, CommitmentFilter>
type View = keyof typeof FILTERS
const VIEWS = Object.keys(FILTERS) as View[]

/** Promises in mail: those of the user, and those of others to the user. */
export const Promises = () => {
  const [, navigate] = useLocation()
  const asked = new URLSearchParams(useSearch()).get('show')
  const view = VIEWS.find((each) => each === asked) ?? 'mine'
  const query = useCommitmentList(FILTERS[view])
  return (
    <Page title={t.promises} about={t.about}>
      <fieldset className="segments promises-views">
        <legend className="visually-hidden">{t.show}</legend>
        {VIEWS.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="view"
              checked={view === each}
              onChange={() => navigate(each === 'mine' ? '/promises' : `/promises?show=${each}`)}
            />
            <span>{t.views[each]}</span>
          </label>
        ))}
      </fieldset>
      <LoadedList
        query={query}
        itemsOf={({ commitments }) => commitments}
        empty={
          <Empty icon={Handshake} title={t.none[view]}>
            <p>{t.noneHelp[view]}</p>
          </Empty>
        }
      >
        {(promises) => (
          <ul className="rows promises" aria-label={t.views[view]}>
            {promises.map((promise) => (
              <PromiseRow key={promise.id} promise={promise} />
            ))}
          </ul>
        )}
      </LoadedList>
    </Page>
  )
}
