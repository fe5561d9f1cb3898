import { Menu } from '@base-ui/react/menu'
import {
  BookOpen,
  Check,
  ChevronsUpDown,
  CircleQuestionMark,
  Keyboard,
  Languages,
  LogOut,
  Monitor,
  Moon,
  Sun,
  UserRound,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { language } from '#locale/language'
import * as t from '#locale/shell'
import { useProfile } from '../api/account.ts'
import { toServerPath } from '../api/base-path.ts'
import { useServices } from '../api/context.tsx'
import { LANGUAGES, type Language } from '../locales/languages.ts'
import { Avatar } from '../ui/avatar.tsx'
import { chooseTheme, isTheme, readTheme, THEMES, type Theme } from './theme.ts'
import { useChangeLanguage } from './use-change-language.ts'
import { useSignOut } from './use-sign-out.ts'

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon } as const

const Indicator = () => (
  <Menu.RadioItemIndicator className="menu-note">
    <Check size={16} aria-hidden="true" />
  </Menu.RadioItemIndicator>
)

const ThemeChoice = () => {
  const { browserStorage } = useServices()
  const [theme, setTheme] = useState<Theme>(() => readTheme(browserStorage))
  const choose = (value: unknown) => {
    if (!isTheme(value)) return
    chooseTheme(browserStorage, value)
    setTheme(value)
  }
  return (
    <Menu.Group>
      <Menu.GroupLabel className="menu-label">{t.appearance}</Menu.GroupLabel>
      <Menu.RadioGroup value={theme} onValueChange={choose}>
        {THEMES.map((name) => {
          const Icon = THEME_ICONS[name]
          return (
            <Menu.RadioItem key={name} value={name} className="menu-item">
              <Icon size={17} aria-hidden="true" />
              {t.themes[name]}
              <Indicator />
            </Menu.RadioItem>
          )
        })}
      </Menu.RadioGroup>
    </Menu.Group>
  )
}

const LanguageChoice = () => {
  const change = useChangeLanguage()
  return (
    <Menu.Group>
      <Menu.GroupLabel className="menu-label">{t.language}</Menu.GroupLabel>
      <Menu.RadioGroup value={language} onValueChange={(value: Language) => void change(value)}>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <Menu.RadioItem key={code} value={code} className="menu-item" lang={code} closeOnClick>
            <Languages size={17} aria-hidden="true" />
            {name}
            <Indicator />
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Menu.Group>
  )
}

export const AccountMenu = ({ onShortcuts }: { onShortcuts: () => void }) => {
  const profile = useProfile().data?.value
  const signOut = useSignOut()
  const name = profile?.name ?? t.account
  return (
    <Menu.Root>
      <Menu.Trigger className="account">
        <Avatar name={name} avatarUrl={profile?.avatarUrl ?? null} />
        <span className="account-names">
          <span className="visually-hidden">{t.accountPrefix} </span>
          <span className="account-name">{name} </span>
          <span className="quiet small">{profile?.email}</span>
        </span>
        <ChevronsUpDown className="account-more" size={16} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        {/* Fixed like its trigger, so that both stay in place when the page scrolls. */}
        <Menu.Positioner
          className="menu-place"
          positionMethod="fixed"
          sideOffset={8}
          align="end"
          collisionPadding={8}
        >
          <Menu.Popup className="menu">
            <Menu.LinkItem className="menu-item" closeOnClick render={<Link href="/settings/profile" />}>
              <UserRound size={17} aria-hidden="true" />
              {t.profile}
            </Menu.LinkItem>
            <Menu.Separator className="menu-rule" />
            <ThemeChoice />
            <Menu.Separator className="menu-rule" />
            <LanguageChoice />
            <Menu.Separator className="menu-rule" />
            <Menu.LinkItem className="menu-item" closeOnClick href={toServerPath('/help/')}>
              <CircleQuestionMark size={17} aria-hidden="true" />
              {t.help}
            </Menu.LinkItem>
            <Menu.Item className="menu-item" onClick={onShortcuts}>
              <Keyboard size={17} aria-hidden="true" />
              {t.shortcuts}
              <span className="menu-note">
                <kbd>?</kbd>
              </span>
            </Menu.Item>
            <Menu.LinkItem className="menu-item" closeOnClick href={toServerPath('/docs')}>
              <BookOpen size={17} aria-hidden="true" />
              {t.apiReference}
            </Menu.LinkItem>
            <Menu.Separator className="menu-rule" />
            <Menu.Item className="menu-item" onClick={() => void signOut()}>
              <LogOut size={17} aria-hidden="true" />
              {t.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
