import { Handshake } from 'lucide-react'
import { useLocation, useSearch } from 'wouter'
import * as t from '#locale/commitments'
import { type Commitment, type CommitmentFilter, useCommitmentList } from '../../api/commitments.ts'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Options } from '../../ui/field.tsx'
import { LoadedList } from '../../ui/loaded.tsx'
import { Empty } from '../../ui/notice.tsx'
import { addressOfCommitments, VIEWS, type View } from './address.ts'
import { CommitmentList } from './commitment-row.tsx'
import '../../ui/style/segments.css'

const FILTERS: Readonly<Record<View, CommitmentFilter>> = {
  mine: { direction: 'mine', status: 'open' },
  theirs: { direction: 'theirs', status: 'open' },
  done: { status: 'done' },
  dismissed: { status: 'dismissed' },
}

interface PersonFilterProps {
  commitments: readonly Commitment[]
  chosen: string | null
  onChoose: (address: string | null) => void
}

/** Chooses one of the people in the list. */
const PersonFilter = ({ commitments, chosen, onChoose }: PersonFilterProps) => {
  const people = new Map(commitments.map(({ person: { name, address } }) => [address, name || address]))
  if (chosen !== null && !people.has(chosen)) people.set(chosen, chosen)
  if (people.size < 2 && chosen === null) return null
  const sorted = [...people].toSorted(([, one], [, other]) => one.localeCompare(other))
  return (
    <label className="commitments-person">
      <span>{t.person}</span>
      <select
        className="input"
        value={chosen ?? ''}
        onChange={({ target }) => onChoose(target.value === '' ? null : target.value)}
      >
        <option value="">{t.everybody}</option>
        <Options entries={sorted} />
      </select>
    </label>
  )
}

/** Commitments in mail: those of the user, and those of others to the user. */
export const Commitments = () => {
  const [, navigate] = useLocation()
  const params = new URLSearchParams(useSearch())
  const view = VIEWS.find((each) => each === params.get('show')) ?? 'mine'
  const address = params.get('person')
  const everybody = useCommitmentList(FILTERS[view])
  const query = useCommitmentList({ ...FILTERS[view], ...(address !== null && { address }) })
  return (
    <Page title={t.commitments} about={t.about}>
      <div className="commitments-filters">
        <fieldset className="segments commitments-views">
          <legend className="visually-hidden">{t.show}</legend>
          {VIEWS.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="view"
                checked={view === each}
                onChange={() => navigate(addressOfCommitments({ view: each, person: address }))}
              />
              <span>{t.views[each]}</span>
            </label>
          ))}
        </fieldset>
        <PersonFilter
          commitments={everybody.data?.pages.flatMap(({ commitments }) => commitments) ?? []}
          chosen={address}
          onChoose={(person) => navigate(addressOfCommitments({ view, person }))}
        />
      </div>
      <LoadedList
        query={query}
        itemsOf={({ commitments }) => commitments}
        empty={
          address === null ? (
            <Empty icon={Handshake} title={t.none[view]} about={t.noneHelp[view]} />
          ) : (
            <Empty icon={Handshake} title={t.noneWith}>
              <Button onClick={() => navigate(addressOfCommitments({ view, person: null }))}>
                {t.showEverybody}
              </Button>
            </Empty>
          )
        }
      >
        {(commitments) => <CommitmentList commitments={commitments} label={t.views[view]} />}
      </LoadedList>
    </Page>
  )
}
