"""The Judge: opens trials, scores attempts, closes trials, admits packages in slot order."""

from envwright.agents.judge.desk import JudgeDesk, TrialPlan, trial_facts
from envwright.agents.judge.graph import judge_graph

__all__ = ["JudgeDesk", "TrialPlan", "judge_graph", "trial_facts"]
