import {
  Activity,
  Archive,
  Bell,
  CalendarCheck,
  CalendarSync,
  ChartColumn,
  Clock3,
  CreditCard,
  Database,
  FileInput,
  KeyRound,
  Link2,
  LogIn,
  type LucideIcon,
  Mail,
  NotepadTextDashed,
  Share2,
  ShieldCheck,
  Smartphone,
  Sparkles,
  UserRound,
  Users,
  Webhook,
  Workflow,
} from 'lucide-react'
import * as t from '#locale/settings'

export type SectionPath = keyof typeof t.sections
type GroupName = keyof typeof t.groups

/** The people that a section is for. `plans-sold`: everybody, if the instance sells plans. */
type Audience = 'everybody' | 'owner' | 'plans-sold' | 'plans-not-sold'

export interface Section {
  /** Follows /settings/. */
  path: SectionPath
  label: string
  about: string
  icon: LucideIcon
  /** The cards of the page, for the search. `id` is the anchor. */
  cards: readonly { id: string; label: string; keywords: string }[]
}

export interface Group {
  name: GroupName
  label: string
  sections: readonly Section[]
}

/** A heading above a single link with the same text would say the same thing twice. */
export const needsHeading = ({ label, sections }: Pick<Group, 'label' | 'sections'>): boolean =>
  sections.length > 1 || sections[0]?.label !== label

interface Entry {
  icon: LucideIcon
  audience?: Audience
}

const GROUPS: Readonly<Record<GroupName, Partial<Record<SectionPath, Entry>>>> = {
  account: {
    profile: { icon: UserRound },
    preferences: { icon: Clock3 },
    security: { icon: ShieldCheck },
    sharing: { icon: Share2 },
    data: { icon: Database },
    imports: { icon: FileInput },
    usage: { icon: ChartColumn, audience: 'plans-not-sold' },
    billing: { icon: CreditCard, audience: 'plans-sold' },
  },
  mail: {
    'mail-accounts': { icon: Mail },
    'mail-templates': { icon: NotepadTextDashed },
  },
  calendar: {
    apps: { icon: Smartphone },
    'calendar-accounts': { icon: CalendarSync },
    bookings: { icon: CalendarCheck },
  },
  assistant: {
    ai: { icon: Sparkles },
  },
  notifications: {
    notifications: { icon: Bell },
  },
  automation: {
    tokens: { icon: KeyRound },
    'feed-tokens': { icon: Link2 },
    webhooks: { icon: Webhook },
  },
  instance: {
    accounts: { icon: Users, audience: 'owner' },
    'oauth-clients': { icon: LogIn, audience: 'owner' },
    instance: { icon: Activity, audience: 'owner' },
    backups: { icon: Archive, audience: 'owner' },
    jobs: { icon: Workflow, audience: 'owner' },
  },
}

/** The facts that decide which sections a person sees. Undefined: not loaded yet. */
export interface Viewer {
  isOwner: boolean | undefined
  plansSold: boolean | undefined
}

const isVisible = (audience: Audience, { isOwner, plansSold }: Viewer): boolean => {
  if (audience === 'owner') return isOwner === true
  if (audience === 'plans-sold') return plansSold === true
  if (audience === 'plans-not-sold') return plansSold === false
  return true
}

const toSection = (path: SectionPath, { icon }: Entry): Section => {
  const { label, about, cards } = t.sections[path]
  return { path, label, about, icon, cards: Object.entries(cards).map(([id, card]) => ({ id, ...card })) }
}

/** The groups with the sections that the viewer sees. A group without any is left out. */
export const listGroups = (viewer: Viewer): Group[] =>
  Object.entries(GROUPS)
    .map(([name, entries]) => ({
      name: name as GroupName,
      label: t.groups[name as GroupName],
      sections: Object.entries(entries)
        .filter(([, { audience = 'everybody' }]) => isVisible(audience, viewer))
        .map(([path, entry]) => toSection(path as SectionPath, entry)),
    }))
    .filter(({ sections }) => sections.length > 0)
